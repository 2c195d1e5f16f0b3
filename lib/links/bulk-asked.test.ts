import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Account } from '@/lib/actor'
import { RunningJob } from '@/lib/jobs/running-job'
import { findJob, listJobItems } from '@/lib/jobs/store'
import { testJobs } from '@/lib/testing/jobs'
import { freshCode } from '@/lib/testing/links'
import { owner } from '@/lib/testing/runtime'
import { bulkKind, type OnAdminAction, queueBulk } from './bulk-job'
import { createLink } from './create'
import { AdminBulkLinks } from './schemas'
import { updateLink } from './update'

const { ctx, by, take, runOut } = await testJobs()
const { db } = ctx
const alice = owner('alice', 'admin')
const HOUR = 3_600_000
afterEach(() => vi.useRealTimers())
const setClock = (ahead: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ahead })

const make = async (title: string, startsAt: Date | null = null) =>
  (await createLink(ctx, alice, { url: 'https://example.com/', title, startsAt })).link
const queue = (matching: object, action: AdminBulkLinks['action'] = 'disable', as: 'owner' | 'admin' = 'owner') =>
  queueBulk(ctx, { ...by, account: alice.account as Account }, AdminBulkLinks.parse({ action, matching }), as)

/** One turn of the job, to its end. */
async function run(tell: OnAdminAction = async () => {}): Promise<bigint> {
  const kind = bulkKind(tell)
  const row = await take()
  const job = new RunningJob(db, row, kind.input.parse(JSON.parse(row.input)))
  await kind.run(ctx, job)
  await job.finish('done', null, false)
  return row.id
}
const told = async (number: string) => {
  const { items } = await listJobItems(ctx, await findJob(ctx, null, number), { limit: 100 })
  return items.map(({ target, outcome, message }) => [target, outcome, message].filter(Boolean))
}

describe('links that match are those that did when it was asked for', () => {
  it.each([0, HOUR])('one that was changed since is skipped, and says so, with the process %i ms ahead', async (ahead) => {
    const title = freshCode()
    const [plain, before, after] = [await make(title), await make(title), await make(title)]
    await updateLink(ctx, alice, before, { url: 'https://example.com/before' })
    setClock(ahead)
    const { number } = await queue({ q: title })
    vi.useRealTimers()
    await updateLink(ctx, alice, after, { url: 'https://example.com/after' })
    await run()
    expect((await told(number)).sort()).toEqual(
      [
        [plain.fullShortUrl, 'done'],
        [before.fullShortUrl, 'done'],
        [after.fullShortUrl, 'skipped', 'Skipped, because it was edited after you started this.'],
      ].sort(),
    )
  })

  it('a new link of a process whose clock is ahead is not taken for a changed one', async () => {
    const title = freshCode()
    setClock(5_000)
    const link = await make(title)
    const { number } = await queue({ q: title })
    vi.useRealTimers()
    await run()
    expect(await told(number)).toEqual([[link.fullShortUrl, 'done']])
  })

  it('one that only starts later is left alone', async () => {
    const title = freshCode()
    const link = await make(title)
    await make(title, new Date(Date.now() + HOUR / 2))
    const { number } = await queue({ q: title, state: 'active' })
    setClock(HOUR)
    await run()
    expect(await told(number)).toEqual([[link.fullShortUrl, 'done']])
  })

  it('what the job did itself before a crash is not told as a change', async () => {
    const title = freshCode()
    const link = await make(title)
    const { number } = await queue({ q: title }, 'disable', 'admin')
    const crash = async () => {
      throw new Error('the process is gone')
    }
    await expect(run(crash)).rejects.toThrow('the process is gone')
    await runOut((await findJob(ctx, null, number)).id)
    await run()
    expect(await told(number)).toEqual([[link.fullShortUrl, 'skipped', 'Nothing to do.']])
  })
})
