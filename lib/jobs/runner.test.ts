import { beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { DatabaseGateway } from '@/lib/db/gateway'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { keepAccount } from '@/lib/testing/accounts'
import { atEnd } from '@/lib/testing/cleanup'
import { testDatabase } from '@/lib/testing/database'
import { eventually, within } from '@/lib/testing/eventually'
import { SILENT } from '@/lib/testing/links'
import { type JobKind, JobRunner } from './runner'
import type { RunningJob } from './running-job'
import { cancelJob, createJob, findJob, jobFile, listJobItems, toJobView } from './store'

const { url } = await testDatabase()
const db = new DatabaseGateway(url, 5)
atEnd(() => db.close())

let number = 0
const issue = async () => `20261121${String(++number).padStart(5, '0')}`
const ctx = { db, log: SILENT, ids: { jobs: { source: () => ({ issue, taken: async () => {} }) } } }
const alice = { account: { id: 'alice' }, address: null }
beforeAll(() => keepAccount(db, 'alice', 'admin'))
type Context = typeof ctx

const rows = z.object({ rows: z.array(z.string()) })
type Rows = z.infer<typeof rows>

/** A runner in a process of its own, as far as the database can tell. */
function runnerOf(run: (job: RunningJob<Rows>) => Promise<void>): JobRunner<Context> {
  const kind: JobKind<Context, Rows> = { input: rows, run: (_, job) => run(job) }
  const runner = new JobRunner(() => ctx, { links: kind as JobKind<Context, never> })
  atEnd(async () => runner.close())
  return runner
}

const queue = (names: string[]) =>
  createJob(ctx, alice, { kind: 'links', title: say('api.job.export'), input: { rows: names }, total: names.length })
const stateOf = async (job: { number: string }) => (await findJob(ctx, null, job.number)).state
const reached = (job: { number: string }, state: string) =>
  vi.waitFor(async () => expect(await stateOf(job)).toBe(state), { timeout: 15_000, interval: 20 })

describe('a job', () => {
  it('is done row by row, and tells what came of each', async () => {
    const job = await queue(['a', 'b', 'c'])
    const runner = runnerOf(async (running) => {
      for (const row of running.input.rows) {
        await running.report(
          row,
          row === 'b' ? 'failed' : 'done',
          row === 'b' ? say('api.link.codeTaken', { code: 'b' }) : undefined,
        )
      }
    })
    runner.look()
    await reached(job, 'done')
    const row = await findJob(ctx, 'alice', job.number)
    expect(row).toMatchObject({ done: 3, failed: 1, total: 3, leaseUntil: null })
    const { items } = await listJobItems(ctx, row, { limit: 10 })
    expect(items.map(({ target, outcome, message }) => [target, outcome, message])).toEqual([
      ['a', 'done', ''],
      ['b', 'failed', '“b” is taken. Choose another.'],
      ['c', 'done', ''],
    ])
    expect((await listJobItems(ctx, row, { limit: 10, outcome: 'failed' })).items).toHaveLength(1)
  })

  it('is nobody else’s to look at', async () => {
    const job = await queue(['a'])
    await expect(findJob(ctx, 'bob', job.number)).rejects.toThrow('There’s no such job.')
    await cancelJob(ctx, await findJob(ctx, 'alice', job.number))
  })

  it('is done once, however many processes look for work', async () => {
    const jobs = await Promise.all(Array.from({ length: 12 }, (_, i) => queue([`${i}`])))
    const seen: string[] = []
    const runners = Array.from({ length: 4 }, () =>
      runnerOf(async (running) => {
        seen.push(running.row.number)
        await running.report('x', 'done')
      }),
    )
    for (const runner of runners) runner.look()
    for (const job of jobs) await reached(job, 'done')
    expect(seen.sort()).toEqual(jobs.map((job) => job.number).sort())
  })

  it('that a dead process left is taken over, behind the rows that were written down', async () => {
    const job = await queue(['a', 'b', 'c', 'd'])
    const { id } = await findJob(ctx, null, job.number)
    // What a process leaves that was killed after two rows, its lease run out.
    await db.client.job.update({
      where: { id },
      data: { state: 'running', done: 2, startedAt: new Date(), leaseUntil: new Date(Date.now() - 1) },
    })
    const done: string[] = []
    const runner = runnerOf(async (running) => {
      for (const row of running.input.rows.slice(running.done)) {
        done.push(row)
        await running.report(row, 'done')
      }
    })
    runner.look()
    await reached(job, 'done')
    expect(done).toEqual(['c', 'd'])
    expect(await findJob(ctx, null, job.number)).toMatchObject({ done: 4, failed: 0 })
  })

  it('goes on where it was after an outage, without its process having died', async () => {
    const job = await queue(['a', 'b', 'c'])
    const done: string[] = []
    const runner = runnerOf(async (running) => {
      for (const row of running.input.rows.slice(running.done)) {
        if (row === 'b' && done.at(-1) === 'a') {
          done.push('outage')
          throw new TerseError('unavailable', say('api.system.database'))
        }
        done.push(row)
        await running.report(row, 'done')
      }
    })
    await runner.start()
    await reached(job, 'done')
    expect(done).toEqual(['a', 'outage', 'b', 'c'])
    const { startedAt, finishedAt } = await findJob(ctx, null, job.number)
    expect((finishedAt?.getTime() ?? 0) - (startedAt?.getTime() ?? 0)).toBeLessThan(8_000)
  })

  it('that was cancelled ends within a second, and what was done stays', async () => {
    const job = await queue(['a'])
    let rounds = 0
    let isOver = false
    const runner = runnerOf(async (running) => {
      try {
        for (;;) {
          rounds += 1
          await running.report(`row ${rounds}`, 'done')
          await new Promise((resolve) => setTimeout(resolve, 5))
        }
      } finally {
        isOver = true
      }
    })
    runner.look()
    await reached(job, 'running')
    await eventually(() => expect(rounds).toBeGreaterThan(3))
    await cancelJob(ctx, await findJob(ctx, null, job.number))
    await within(1_000, () => expect(isOver).toBe(true))
    expect(await stateOf(job)).toBe('cancelled')
  })

  it('that fails says why, and never more than is meant for its owner', async () => {
    const [refused, broken] = [await queue(['refused']), await queue(['broken'])]
    const runner = runnerOf(async (running) => {
      throw running.input.rows[0] === 'refused' ? new TerseError('conflict', say('api.link.busy')) : new Error('secret stack')
    })
    runner.look()
    await reached(refused, 'failed')
    await reached(broken, 'failed')
    expect(toJobView(await findJob(ctx, null, refused.number)).error).toBe(
      'Someone else is editing this link right now. Try again.',
    )
    expect(toJobView(await findJob(ctx, null, broken.number)).error).toBe(
      'Something went wrong on our side, and we’ve logged it. Try again.',
    )
  })

  it('keeps its file in parts that follow each other', async () => {
    const job = await queue([])
    const runner = runnerOf(async (running) => {
      await running.writeFile(0, 'one,')
      await running.writeFile(1, 'two')
    })
    runner.look()
    await reached(job, 'done')
    const row = await findJob(ctx, null, job.number)
    const parts: Uint8Array[] = []
    for await (const part of jobFile(ctx, row)) parts.push(part)
    const { gunzipSync } = await import('node:zlib')
    expect(gunzipSync(Buffer.concat(parts)).toString()).toBe('one,two')
    expect(row.result).toBe('file')
  })

  it('gets another number when its own is taken', async () => {
    const first = await queue(['a'])
    number -= 1
    const second = await queue(['b'])
    expect(second.number).not.toBe(first.number)
    for (const job of [first, second]) await cancelJob(ctx, await findJob(ctx, null, job.number))
  })
})
