import { afterEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { say } from '@/lib/i18n/message'
import { importKind } from '@/lib/links/import-job'
import { queueImport } from '@/lib/links/import-queue'
import { atEnd } from '@/lib/testing/cleanup'
import { eventually } from '@/lib/testing/eventually'
import { testJobs } from '@/lib/testing/jobs'
import { freshCode } from '@/lib/testing/links'
import { giveBack, takeJob } from './queue'
import { type JobKind, JobRunner } from './runner'
import { JobEnded, RunningJob } from './running-job'
import { createJob, findJob, listJobItems } from './store'

const { ctx, connection, by, take, runOut } = await testJobs()
const { db } = ctx
afterEach(() => vi.useRealTimers())

const queue = (total = 4) => createJob(ctx, by, { kind: 'links', title: say('api.job.export'), input: {}, total })

describe('a lease', () => {
  it('is told by the clock of the database: a process whose own is 11 s, or a day, ahead or behind takes nothing over', async () => {
    const job = await queue()
    const begun: number[] = []
    let letGo = () => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const kind: JobKind<typeof ctx, object> = {
      input: z.object({}),
      run: async (_, running) => {
        begun.push(running.row.attempt)
        await held
        await running.report('row', 'done')
      },
    }
    const runner = () => {
      const made = new JobRunner(() => ctx, { links: kind as JobKind<typeof ctx, never> })
      atEnd(async () => made.close())
      return made
    }
    runner().look()
    await eventually(() => expect(begun).toHaveLength(1))
    for (const skew of [11_000, 86_400_000, -86_400_000]) {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + skew })
      expect(await takeJob(db, ['links'])).toBeNull()
      vi.useRealTimers()
    }
    letGo()
    await vi.waitFor(async () => expect((await findJob(ctx, null, job.number)).state).toBe('done'), { timeout: 10_000 })
    expect(begun).toEqual([1])
  })

  it.each([
    ['lease', 'leaseUntil', 1],
    ['wait', 'waitUntil', 0],
  ])(
    'does not last longer for a %s that was written before the clock of the database was set back by an hour',
    async (_, column, holders) => {
      await queue()
      const first = await take()
      if (holders === 0) await giveBack(db, first, 60)
      const ahead = (seconds: number) =>
        connection.query(`UPDATE Job SET ${column} = UTC_TIMESTAMP(3) + INTERVAL ? SECOND WHERE id = ?`, [seconds, first.id])
      // A clock that is only put right by some seconds takes a job from nobody.
      await ahead(15)
      expect(await takeJob(db, ['links'])).toBeNull()
      await ahead(3_600)
      expect(await takeJob(db, ['links'])).toMatchObject({ id: first.id, attempt: first.attempt + 1 })
    },
  )

  it('is followed by a turn of the account whose last turn lies ahead, since the clock was set back, and not by its last one', async () => {
    const [late, next] = [await queue(), await queue()]
    await connection.query('UPDATE Job SET turnAt = UTC_TIMESTAMP(3) + INTERVAL 1 HOUR WHERE number = ?', [late.number])
    expect((await take()).number).toBe(late.number)
    expect((await take()).number).toBe(next.number)
  })

  it('that was lost ends its holder, who writes nothing more: no progress, no row, no file, no end', async () => {
    const { number } = await queue()
    const first = await take()
    const old = new RunningJob(db, first, {})
    await old.report('one', 'done')
    await old.writeFile(0, 'old')
    await runOut(first.id)
    const second = await take()
    expect([second.id, second.attempt]).toEqual([first.id, first.attempt + 1])
    const now = new RunningJob(db, second, {})
    await now.writeFile(0, 'new')
    await expect(old.writeFile(0, 'old again')).rejects.toThrow(JobEnded)
    await expect(old.report('two', 'failed', say('api.link.busy'))).rejects.toThrow(JobEnded)
    await old.total(99)
    await old.release(60)
    await old.finish('failed', say('api.internal'), true)
    const kept = await findJob(ctx, null, number)
    expect(kept).toMatchObject({
      state: 'running',
      done: 0,
      failed: 0,
      total: 4,
      error: '',
      waitUntil: null,
      attempt: second.attempt,
    })
    expect((await listJobItems(ctx, kept, { limit: 10 })).items).toEqual([])
    const files = await connection.query<{ n: bigint }[]>('SELECT COUNT(*) AS n FROM JobFile WHERE jobId = ?', [first.id])
    expect(Number(files[0]?.n)).toBe(1)
    await now.finish('done', null, true)
    expect(await findJob(ctx, null, number)).toMatchObject({ state: 'done', client: null, leaseUntil: null })
  })

  it('that may have run out while the process stood still is asked for before the next row', async () => {
    await queue(8)
    const first = await take()
    const old = new RunningJob(db, first, {})
    await runOut(first.id)
    await take()
    const before = performance.now()
    vi.spyOn(performance, 'now').mockImplementation(() => before + 60_000)
    const dealt: string[] = []
    const work = old.each(['a', 'b', 'c'], async (target) => {
      dealt.push(target)
      return { target, outcome: 'done' }
    })
    await expect(work).rejects.toThrow(JobEnded)
    vi.restoreAllMocks()
    expect(dealt).toEqual([])
  })
})

describe('an import that two processes have at once', () => {
  it('makes each link once, and each row is done in both: a duplicate is what the other made', async () => {
    for (let round = 0; round < 5; round++) {
      const codes = Array.from({ length: 40 }, () => freshCode())
      // Some with codes of their own, some with generated ones.
      const csv = ['url,code', ...codes.map((code, i) => `https://example.com/${code},${i % 2 ? code : ''}`)].join('\n')
      await queueImport(ctx, by, csv)
      const first = await take()
      await runOut(first.id)
      const second = await take()
      const one = new RunningJob(db, first, {})
      const other = new RunningJob(db, second, {})
      const both = await Promise.allSettled([importKind.run(ctx, one), importKind.run(ctx, other)])
      for (const end of both) if (end.status === 'rejected') expect(end.reason).toBeInstanceOf(JobEnded)
      await other.finish('done', null, false)
      const job = await findJob(ctx, null, second.number)
      expect(job).toMatchObject({ state: 'done', done: 40, failed: 0 })
      const { items } = await listJobItems(ctx, job, { limit: 100 })
      expect(new Set(items.map(({ target }) => target)).size).toBe(40)
      expect(await db.client.link.count({ where: { ownerId: 'alice' } })).toBe(40 * (round + 1))
    }
  })
})
