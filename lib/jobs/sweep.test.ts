import { describe, expect, it } from 'vitest'
import { DatabaseGateway } from '@/lib/db/gateway'
import { firstIdAt, idAt } from '@/lib/db/id'
import { atEnd } from '@/lib/testing/cleanup'
import { testDatabase } from '@/lib/testing/database'
import { keepNewestRows } from './queue'
import type { JobState } from './schemas'
import { sweepJobs } from './sweep'

const DAY = 86_400_000
const NOW = Date.UTC(2027, 5, 1)

const { url } = await testDatabase()
const db = new DatabaseGateway(url, 4)
atEnd(() => db.close())

let count = 0

/** A job with so many rows and a file of two parts. */
async function keepJob(state: JobState, finishedAt: number | null, rows = 2, userId = 'alice'): Promise<bigint> {
  const createdAt = new Date((finishedAt ?? NOW - 40 * DAY) - 1_000)
  const id = idAt(createdAt.getTime(), ++count, 0)
  const number = `20270601${String(count).padStart(5, '0')}`
  const times = { createdAt, startedAt: createdAt, finishedAt: finishedAt === null ? null : new Date(finishedAt) }
  await db.client.job.create({
    data: { id, number, kind: 'links', userId, state, done: rows, input: '{}', result: '', ...times },
  })
  const items = Array.from({ length: rows }, (_, position) => ({ jobId: id, position, target: 'x', outcome: 'done' }))
  await db.client.jobItem.createMany({ data: items })
  await db.client.jobFile.createMany({ data: [0, 1].map((part) => ({ jobId: id, part, content: Buffer.from('x') })) })
  return id
}

const left = async () => ({
  jobs: (await db.client.job.findMany({ orderBy: { id: 'asc' } })).map(({ id }) => id),
  items: new Set((await db.client.jobItem.findMany()).map(({ jobId }) => jobId)),
  files: new Set((await db.client.jobFile.findMany()).map(({ jobId }) => jobId)),
})

describe('sweepJobs', () => {
  it('forgets jobs 30 days after their end with all that they left, and no others', async () => {
    const old = NOW - 30 * DAY - 1
    await keepJob('done', old)
    await keepJob('failed', old, 2_005)
    await keepJob('cancelled', old)
    const kept = [await keepJob('done', NOW - 30 * DAY), await keepJob('running', null), await keepJob('queued', null)]
    expect(await sweepJobs(db, NOW)).toBe(3)
    const { jobs, items, files } = await left()
    expect(new Set(jobs)).toEqual(new Set(kept))
    expect(items).toEqual(new Set(kept))
    expect(files).toEqual(new Set(kept))
    expect(await sweepJobs(db, NOW)).toBe(0)
  })

  it('forgets what lets a job in elsewhere once it has ended or never came to be', async () => {
    const [ended, running] = [await keepJob('failed', NOW), await keepJob('running', null)]
    const never = firstIdAt(NOW - DAY)
    const late = firstIdAt(NOW)
    for (const id of [ended, running, never, late]) await db.change("INSERT INTO JobSource (jobId, place) VALUES (?, '')", id)
    await sweepJobs(db, NOW)
    const sources = await db.client.jobSource.findMany()
    expect(new Set(sources.map(({ jobId }) => jobId))).toEqual(new Set([running, late]))
  })
})

it('what came of rows is kept of the newest jobs of an account and a kind, up to so many rows', async () => {
  const [oldest, older, newer, newest] = [
    await keepJob('done', NOW - 4 * DAY, 2, 'bob'),
    await keepJob('cancelled', NOW - 3 * DAY, 2_001, 'bob'),
    await keepJob('failed', NOW - 2 * DAY, 3, 'bob'),
    await keepJob('done', NOW - DAY, 2, 'bob'),
  ]
  const others = [await keepJob('done', NOW - 4 * DAY, 2, 'carol'), await keepJob('running', null, 9, 'bob')]
  const itemsOf = async () => {
    const all = [oldest, older, newer, newest, ...others]
    const kept = await Promise.all(all.map((jobId) => db.client.jobItem.count({ where: { jobId } })))
    return kept
  }
  await keepNewestRows(db, 'bob', 'import', 0)
  await keepNewestRows(db, 'bob', 'links', 2_008)
  expect(await itemsOf()).toEqual([2, 2_001, 3, 2, 2, 9])
  await keepNewestRows(db, 'bob', 'links', 2_007)
  expect(await itemsOf()).toEqual([0, 2_001, 3, 2, 2, 9])
  // One that is too long for what is left takes those before it along.
  await keepNewestRows(db, 'bob', 'links', 100)
  expect(await itemsOf()).toEqual([0, 0, 3, 2, 2, 9])
})
