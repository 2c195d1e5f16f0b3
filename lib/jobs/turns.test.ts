import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { DatabaseGateway } from '@/lib/db/gateway'
import { say } from '@/lib/i18n/message'
import { keepAccount } from '@/lib/testing/accounts'
import { atEnd } from '@/lib/testing/cleanup'
import { testDatabase } from '@/lib/testing/database'
import { eventually } from '@/lib/testing/eventually'
import { SILENT } from '@/lib/testing/links'
import { takeJob } from './queue'
import { type JobKind, JobRunner } from './runner'
import type { RunningJob } from './running-job'
import type { JobKindName } from './schemas'
import { createJob, findJob, MAX_UNFINISHED, requireRoom } from './store'

const { url, connection } = await testDatabase()
const db = new DatabaseGateway(url, 8)
atEnd(() => db.close())

let number = 0
const issue = async () => `20261125${String(++number).padStart(5, '0')}`
const ctx = { db, log: SILENT, ids: { jobs: { source: () => ({ issue, taken: async () => {} }) } } }
type Context = typeof ctx

beforeAll(async () => {
  for (const id of ['alice', 'bob', 'mallory']) await keepAccount(db, id)
  await keepAccount(db, 'boss', 'admin')
})
beforeEach(() => connection.query("UPDATE Job SET state = 'cancelled'"))

const queue = async (id: string, rows: number, kind: JobKindName = 'import') =>
  createJob(
    ctx,
    { account: { id }, address: null },
    {
      kind,
      title: say('api.job.export'),
      input: {},
      total: rows,
      rows: Array.from({ length: rows }, (_, row) => `${id} ${row}`),
    },
  )
const stateOf = async (job: { number: string }) => (await findJob(ctx, null, job.number)).state
const reached = (job: { number: string }, state: string) =>
  vi.waitFor(async () => expect(await stateOf(job)).toBe(state), { timeout: 20_000, interval: 20 })

/** A process that does rows of `slow` ms each, and writes down whose. */
function runner(order: string[], slow: number): JobRunner<Context> {
  const kind: JobKind<Context, object> = {
    input: z.object({}),
    run: (_, job: RunningJob<object>) =>
      job.eachInParts(z.string(), async (row) => {
        order.push(row)
        await delay(slow)
        return { target: row, outcome: 'done' }
      }),
  }
  const made = new JobRunner(() => ctx, { import: kind as JobKind<Context, never>, links: kind as JobKind<Context, never> })
  atEnd(async () => made.close())
  return made
}

describe('jobs take turns', () => {
  it('so that a short job and an admin’s are done while long ones of others go on, and no row is done twice or left out', async () => {
    const long = await Promise.all(Array.from({ length: MAX_UNFINISHED.user }, () => queue('mallory', 2_500)))
    const order: string[] = []
    const process = runner(order, 5)
    process.look()
    await eventually(() => expect(order.length).toBeGreaterThan(40))
    const [short, ban] = [await queue('alice', 8), await queue('boss', 8, 'links')]
    const before = order.length
    await reached(ban, 'done')
    await reached(short, 'done')
    // Of 12,500 rows that others have, as many as are done in 4 s where nothing else holds the machine up.
    expect(order.length - before).toBeLessThan(3_200)
    expect(await Promise.all(long.map(stateOf))).not.toContain('done')
    process.close()
    await delay(0)
    expect(order.filter((row) => row.startsWith('alice'))).toHaveLength(8)
  })

  it('round the accounts, however many jobs one has', async () => {
    for (let i = 0; i < 4; i++) await queue('mallory', 10)
    await queue('alice', 10)
    await queue('bob', 10)
    const owners: string[] = []
    for (let i = 0; i < 6; i++) {
      const taken = await takeJob(db, ['import'])
      owners.push(taken?.userId ?? '')
      await connection.query('UPDATE Job SET leaseUntil = NULL WHERE id = ?', [taken?.id])
    }
    expect(owners.slice(0, 3).sort()).toEqual(['alice', 'bob', 'mallory'])
    expect(owners.slice(3).sort()).toEqual(['alice', 'bob', 'mallory'])
  })

  it('but those of one account that import have them one after another, however many processes there are', async () => {
    const taken = async () => String((await takeJob(db, ['import', 'links']))?.number)
    for (let round = 0; round < 10; round++) {
      const [first, second, other] = [await queue('alice', 10), await queue('alice', 10), await queue('alice', 10, 'links')]
      const found = (await Promise.all([taken(), taken(), taken(), taken()])).filter((number) => number !== 'undefined')
      expect(found).toHaveLength(2)
      expect(found).toContain(other.number)
      // The other has its turn once that of the first is over.
      const [ours] = found.filter((number) => number !== other.number)
      await connection.query('UPDATE Job SET leaseUntil = NULL WHERE number = ?', [ours])
      expect(await taken()).toBe(ours === first.number ? second.number : first.number)
      await connection.query("UPDATE Job SET state = 'cancelled', leaseUntil = NULL")
    }
  })

  it('and go on behind the rows that were done, over many turns and several processes', async () => {
    const jobs = [await queue('alice', 250), await queue('bob', 250), await queue('mallory', 250)]
    const order: string[] = []
    for (const process of [runner(order, 10), runner(order, 10)]) process.look()
    for (const job of jobs) await reached(job, 'done')
    expect(order).toHaveLength(750)
    expect(new Set(order).size).toBe(750)
    for (const job of jobs) expect(await findJob(ctx, null, job.number)).toMatchObject({ done: 250, failed: 0 })
    const [items] = await connection.query<{ n: bigint }[]>(
      "SELECT COUNT(*) AS n FROM JobItem WHERE jobId IN (SELECT id FROM Job WHERE state = 'done')",
    )
    expect(Number(items?.n)).toBeGreaterThanOrEqual(750)
  })
})

describe('an account', () => {
  it('has a bounded number of unfinished jobs, with many requests at once too', async () => {
    const asked = await Promise.allSettled(Array.from({ length: 8 }, () => queue('mallory', 1)))
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(MAX_UNFINISHED.user)
    for (const one of asked) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'conflict' })
    await expect(queue('alice', 1)).resolves.toBeTruthy()
    await connection.query("UPDATE Job SET state = 'done' WHERE userId = 'mallory' AND state = 'queued' LIMIT 1")
    await expect(queue('mallory', 1)).resolves.toBeTruthy()
  })

  it('is kept from nothing by dry runs that nobody started: the oldest gives way, what goes on does not', async () => {
    const checks = []
    for (let i = 0; i < MAX_UNFINISHED.user; i++) checks.push(await queue('mallory', 1))
    await connection.query("UPDATE Job SET state = 'checked', mode = 'check' WHERE userId = 'mallory' AND state = 'queued'")
    await expect(requireRoom(ctx, { id: 'mallory' })).resolves.toBeUndefined()
    const next = await queue('mallory', 1)
    expect(await Promise.all([...checks, next].map(stateOf))).toEqual([
      'cancelled',
      'checked',
      'checked',
      'checked',
      'checked',
      'queued',
    ])
    const [oldest] = await connection.query<{ n: bigint }[]>(
      'SELECT COUNT(*) AS n FROM JobPart WHERE jobId = (SELECT id FROM Job WHERE number = ?)',
      [checks[0]?.number],
    )
    expect(Number(oldest?.n)).toBe(0)
    await connection.query("UPDATE Job SET state = 'paused' WHERE userId = 'mallory' AND state = 'checked'")
    await expect(queue('mallory', 1)).rejects.toMatchObject({ code: 'conflict' })
    expect(await stateOf(next)).toBe('queued')
  })

  it('that is banned or being removed has no new job', async () => {
    for (const change of ['banned = TRUE', "banned = FALSE, removal = 'keep'"]) {
      await connection.query(`UPDATE User SET ${change} WHERE id = 'bob'`)
      await expect(queue('bob', 1)).rejects.toMatchObject({ code: 'forbidden' })
    }
    await connection.query("UPDATE User SET banned = TRUE, removal = NULL, banExpires = '2020-01-01' WHERE id = 'bob'")
    await expect(queue('bob', 1)).resolves.toBeTruthy()
  })
})
