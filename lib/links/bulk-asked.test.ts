import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Account } from '@/lib/actor'
import { type JobKind, JobRunner } from '@/lib/jobs/runner'
import { RunningJob } from '@/lib/jobs/running-job'
import { cancelJob, findJob, listJobItems } from '@/lib/jobs/store'
import { eventually } from '@/lib/testing/eventually'
import { testJobs } from '@/lib/testing/jobs'
import { freshCode } from '@/lib/testing/links'
import { owner } from '@/lib/testing/runtime'
import { bulkKind, type OnAdminAction, queueBulk } from './bulk-job'
import { AdminBulkLinks } from './bulk-schemas'
import { createLink } from './create'
import { deleteLink } from './delete'
import { restoreLink } from './restore'
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

const urlsOf = (links: { fullShortUrl: string }[]) => links.map(({ fullShortUrl }) => fullShortUrl)
/** Those of these links that are not deleted. */
const thereOf = async (links: { fullShortUrl: string }[]) =>
  urlsOf(await db.client.link.findMany({ where: { fullShortUrl: { in: urlsOf(links) } }, select: { fullShortUrl: true } }))

describe('a deletion of links that matched', () => {
  const undo = (number: string, as: 'owner' | 'admin' = 'owner', account = alice.account as Account) =>
    queueBulk(ctx, { account, address: null }, AdminBulkLinks.parse({ action: 'restore', deletedBy: number }), as)

  it('is undone by its number: what it deleted is restored, and nothing that was deleted otherwise', async () => {
    const title = freshCode()
    const [before, restored, again, ...plain] = [await make(title), await make(title), await make(title), await make(title)]
    await deleteLink(ctx, alice, before)
    const deletion = await queue({ q: title }, 'delete')
    await run()
    await restoreLink(ctx, alice, restored)
    await restoreLink(ctx, alice, again)
    await deleteLink(ctx, alice, again)
    const { number } = await undo(deletion.number)
    await run()
    expect(await told(number)).toEqual(plain.map(({ fullShortUrl }) => [fullShortUrl, 'done']))
    const there = await thereOf([before, restored, again, ...plain])
    expect(there.sort()).toEqual(urlsOf([restored, ...plain]).sort())
  })

  it.each([0, 1, 3])(
    'that is cancelled after row %i tells what it has deleted, and its undo restores all of that',
    async (at) => {
      const title = freshCode()
      const made: { fullShortUrl: string }[] = []
      for (let i = 0; i < 9; i++) made.push(await make(title))
      const deletion = await queue({ q: title }, 'delete', 'admin')
      let rows = 0
      const kind = bulkKind(async () => {
        if (rows++ === at) await cancelJob(ctx, await findJob(ctx, null, deletion.number))
      })
      const runner = new JobRunner(() => ctx, { links: kind as JobKind<typeof ctx, never> })
      runner.look()
      const gone = () =>
        db.client.deletedLink.findMany({ where: { fullShortUrl: { in: urlsOf(made) } }, select: { fullShortUrl: true } })
      await eventually(async () => {
        const job = await findJob(ctx, null, deletion.number)
        expect([job.state, job.done]).toEqual(['cancelled', (await gone()).length])
      })
      await runner.close()
      const deleted = (await gone()).map(({ fullShortUrl }) => [fullShortUrl, 'done'])
      expect(deleted.length).toBeGreaterThan(at)
      expect((await told(deletion.number)).sort()).toEqual(deleted.sort())
      await undo(deletion.number, 'admin')
      await run()
      expect(await gone()).toEqual([])
    },
  )

  it('is undone in full when its process died before it told what it had deleted', async () => {
    const title = freshCode()
    const link = await make(title)
    const deletion = await queue({ q: title }, 'delete', 'admin')
    const crash = async () => {
      throw new Error('the process is gone')
    }
    await expect(run(crash)).rejects.toThrow('the process is gone')
    await runOut((await findJob(ctx, null, deletion.number)).id)
    await run()
    await undo(deletion.number, 'admin')
    await run()
    expect(await thereOf([link])).toHaveLength(1)
  })

  it('is not undone by the number of a job of someone else, or of one that dealt with no link', async () => {
    const title = freshCode()
    await make(title)
    const deletion = await queue({ q: title }, 'delete', 'admin')
    await expect(undo(deletion.number)).rejects.toMatchObject({ code: 'validation_failed' })
    await run()
    const bob = owner('bob').account as Account
    await expect(undo(deletion.number, 'owner', bob)).rejects.toMatchObject({ code: 'not_found' })
  })
})
