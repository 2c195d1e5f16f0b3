import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { Account } from '@/lib/actor'
import { listAudit } from '@/lib/audit/audit'
import type { Link } from '@/lib/db/generated/client'
import { findJob, listJobItems, toJobView } from '@/lib/jobs/store'
import { keepAccount } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { within } from '@/lib/testing/eventually'
import { freshCode } from '@/lib/testing/links'
import { testRedis } from '@/lib/testing/redis'
import { owner, settled, testRuntime } from '@/lib/testing/runtime'
import { banLink, unbanLink } from './ban'
import { queueBulk } from './bulk-job'
import { AdminBulkLinks, BulkLinks } from './bulk-schemas'
import { createLink } from './create'
import { deleteLink } from './delete'
import { OURSELVES } from './permit'
import { updateLink } from './update'

const { url } = await testDatabase()
const redis = await testRedis()
const settings = { DATABASE_URL: url, REDIS_URL: redis.url }
const ctx = await testRuntime(settings)
const other = await testRuntime(settings)
beforeAll(() => settled(ctx, other))
beforeAll(async () => {
  await keepAccount(ctx.db, 'alice')
  await keepAccount(ctx.db, 'boss', 'admin')
})

const alice = owner('alice')
const accountOf = (id: string, role: 'user' | 'admin' = 'user') => owner(id, role).account as Account
const make = async (by = alice): Promise<Link> => {
  const code = freshCode()
  return (await createLink(ctx, by, { url: `https://example.com/${code}`, code })).link
}
const many = (count: number) => Promise.all(Array.from({ length: count }, () => make()))
const stateOf = async (link: Link) => (await ctx.db.client.link.findUnique({ where: { id: link.id } }))?.state ?? 'deleted'
const recordOf = async (on: typeof ctx, link: Link) => (await on.lookup.find(link.fullShortUrl)).entry.record

/** What came of each link, in the order of asking. */
async function bulk(
  account: Account,
  action: AdminBulkLinks['action'],
  links: Pick<Link, 'id'>[],
  address: string | null = null,
  reason = '',
) {
  const input = AdminBulkLinks.parse({ action, reason, ids: links.map(({ id }) => id.toString()) })
  const { number } = await queueBulk(ctx, { account, address }, input, address === null ? 'owner' : 'admin')
  ctx.jobs.look()
  await vi.waitFor(async () => expect((await findJob(ctx, null, number)).state).toBe('done'), { timeout: 30_000, interval: 20 })
  const job = await findJob(ctx, account.id, number)
  const { items } = await listJobItems(ctx, job, { limit: 1_000 })
  return {
    job: { ...job, title: toJobView(job).title },
    items: items.map(({ target, outcome, message }) => [target, outcome, message].filter(Boolean)),
  }
}

describe('what is done to many links', () => {
  it('is done to each as if it were the only one, and one that fails says why and stops no other', async () => {
    const [plain, disabled, banned, deleted, his] = [
      await make(),
      await make(),
      await make(),
      await make(),
      await make(owner('bob')),
    ]
    await updateLink(ctx, alice, disabled, { enabled: false })
    await banLink(ctx, OURSELVES, banned.id, 'Spam.')
    await deleteLink(ctx, alice, deleted)
    const all = [plain, disabled, banned, deleted, his, { id: 4n }]
    const { job, items } = await bulk(accountOf('alice'), 'disable', all)
    expect(items).toEqual([
      [plain.fullShortUrl, 'done'],
      [disabled.fullShortUrl, 'skipped', 'Nothing to do.'],
      [banned.fullShortUrl, 'failed', 'This link was banned, so you can’t edit it.'],
      [deleted.fullShortUrl, 'failed', 'This link was deleted.'],
      [his.id.toString(), 'failed', 'There’s no such link.'],
      ['4', 'failed', 'There’s no such link.'],
    ])
    expect(job).toMatchObject({ title: 'Turn off 6 links', total: 6, done: 6, failed: 4 })
    expect(await Promise.all([plain, disabled, banned, deleted, his].map(stateOf))).toEqual([
      'disabled',
      'disabled',
      'banned',
      'deleted',
      'active',
    ])
    await bulk(accountOf('alice'), 'enable', all)
    expect(await Promise.all([plain, disabled, banned].map(stateOf))).toEqual(['active', 'active', 'banned'])
  })

  it('can be undone where it was a deletion: the same links lead where they led', async () => {
    const links = await many(50)
    await bulk(accountOf('alice'), 'delete', links)
    for (const link of links.slice(0, 5)) expect(await recordOf(other, link)).toMatchObject({ kind: 'tombstone' })
    expect(await ctx.db.client.link.count({ where: { id: { in: links.map(({ id }) => id) } } })).toBe(0)
    const { items } = await bulk(accountOf('alice'), 'restore', links)
    expect(items).toEqual(links.map(({ fullShortUrl }) => [fullShortUrl, 'done']))
    const rows = await ctx.db.client.link.findMany({ where: { id: { in: links.map(({ id }) => id) } } })
    expect(new Set(rows.map((row) => row.url))).toEqual(new Set(links.map((link) => link.url)))
    for (const link of links.slice(0, 5)) expect(await recordOf(other, link)).toMatchObject({ kind: 'link', url: link.url })
    expect((await bulk(accountOf('alice'), 'restore', links.slice(0, 2))).items.map(([, outcome]) => outcome)).toEqual([
      'skipped',
      'skipped',
    ])
  })

  it('is done once to a link that is named twice', async () => {
    const link = await make()
    expect((await bulk(accountOf('alice'), 'delete', [link, link])).items).toEqual([[link.fullShortUrl, 'done']])
  })

  it('by an admin reaches every link, and each change is written down with who, what, when and from where', async () => {
    const [hers, nobodys] = [await make(), await make({ ...alice, account: null, ownerId: null })]
    const boss = accountOf('boss', 'admin')
    const { items } = await bulk(boss, 'ban', [hers, nobodys], '203.0.113.7', 'Phishing.')
    expect(items.map(([, outcome]) => outcome)).toEqual(['done', 'done'])
    expect((await bulk(boss, 'ban', [hers], '203.0.113.7', 'Phishing.')).items[0]?.[1]).toBe('skipped')
    for (const link of [hers, nobodys]) {
      const { entries } = await listAudit(ctx, { limit: 10, target: link.fullShortUrl })
      expect(entries).toEqual([
        expect.objectContaining({
          action: 'link.ban',
          actorId: 'boss',
          actor: `${boss.handle} ${boss.email}`,
          address: '203.0.113.7',
          details: { reason: 'Phishing.' },
        }),
      ])
    }
    await bulk(boss, 'unban', [hers], '203.0.113.7')
    expect(await stateOf(hers)).toBe('active')
  })
})

describe('a ban', () => {
  it('is seen by every process within a second, with its reason, and lifted as quickly', async () => {
    const link = await make()
    expect(await recordOf(other, link)).toMatchObject({ state: 'active' })
    const seen = (state: string, banReason: string) =>
      within(1_000, async () => expect(await recordOf(other, link)).toMatchObject({ state, banReason }))
    await banLink(ctx, OURSELVES, link.id, 'Phishing.')
    await seen('banned', 'Phishing.')
    await unbanLink(ctx, OURSELVES, link.id)
    await seen('active', '')
    await expect(unbanLink(ctx, OURSELVES, link.id)).rejects.toMatchObject({ code: 'conflict' })
  })

  it('keeps the owner from changing the link, and outlasts that it is deleted and restored', async () => {
    const link = await make()
    await banLink(ctx, OURSELVES, link.id, '')
    await expect(updateLink(ctx, alice, link, { enabled: true })).rejects.toMatchObject({ code: 'forbidden' })
    await bulk(accountOf('alice'), 'delete', [link])
    await bulk(accountOf('alice'), 'restore', [link])
    expect(await stateOf(link)).toBe('banned')
  })
})

describe('what is done to all links that match', () => {
  /** What came of each link that matches, once the job is done. */
  async function bulkMatching(
    account: Account,
    action: AdminBulkLinks['action'],
    matching: object,
    address: string | null = null,
  ) {
    const input = AdminBulkLinks.parse({ action, matching })
    const { number } = await queueBulk(ctx, { account, address }, input, address === null ? 'owner' : 'admin')
    ctx.jobs.look()
    await vi.waitFor(async () => expect((await findJob(ctx, null, number)).state).toBe('done'), { timeout: 30_000, interval: 20 })
    const job = await findJob(ctx, account.id, number)
    const { items } = await listJobItems(ctx, job, { limit: 1_000 })
    return { job, outcomes: items.map(({ outcome }) => outcome) }
  }
  const titled = async (count: number, title: string, by = alice): Promise<Link[]> => {
    const links = await Promise.all(
      Array.from({ length: count }, () => createLink(ctx, by, { url: 'https://example.com/', title })),
    )
    return links.map(({ link }) => link)
  }

  it('is done to each of them, on all pages, and to no other', async () => {
    const [mine, others, his] = [
      await titled(45, 'Frühlingsfest'),
      await titled(3, 'Herbst'),
      await titled(2, 'Frühlingsfest', owner('bob')),
    ]
    const { job, outcomes } = await bulkMatching(accountOf('alice'), 'disable', { q: 'LINGSFE' })
    expect({ ...job, title: toJobView(job).title }).toMatchObject({ title: 'Turn off 45 links', total: 45, done: 45, failed: 0 })
    expect(outcomes).toEqual(mine.map(() => 'done'))
    expect(new Set(await Promise.all(mine.map(stateOf)))).toEqual(new Set(['disabled']))
    expect(new Set(await Promise.all([...others, ...his].map(stateOf)))).toEqual(new Set(['active']))
    // Those that were dealt with leave the list while it is read.
    await bulkMatching(accountOf('alice'), 'enable', { q: 'lingsfe', state: 'disabled' })
    expect(new Set(await Promise.all(mine.map(stateOf)))).toEqual(new Set(['active']))
  })

  it('can be undone where it was a deletion', async () => {
    const mine = await titled(25, 'Sommernacht')
    await bulkMatching(accountOf('alice'), 'delete', { q: 'mernach' })
    expect(new Set(await Promise.all(mine.map(stateOf)))).toEqual(new Set(['deleted']))
    await bulkMatching(accountOf('alice'), 'restore', { q: 'mernach', state: 'deleted' })
    expect(new Set(await Promise.all(mine.map(stateOf)))).toEqual(new Set(['active']))
  })

  it('by an admin reaches links of everyone, or of the account they name', async () => {
    const [hers, his] = [await titled(2, 'Winterreise'), await titled(2, 'Winterreise', owner('bob'))]
    await bulkMatching(accountOf('boss', 'admin'), 'ban', { q: 'nterrei', owner: 'bob' }, '192.0.2.1')
    expect(await Promise.all([...hers, ...his].map(stateOf))).toEqual(['active', 'active', 'banned', 'banned'])
    await bulkMatching(accountOf('boss', 'admin'), 'ban', { q: 'nterrei' }, '192.0.2.1')
    expect(await Promise.all(hers.map(stateOf))).toEqual(['banned', 'banned'])
  })

  it('is refused where nothing matches, and where all would be meant by leaving everything out', async () => {
    const input = AdminBulkLinks.parse({ action: 'delete', matching: { q: 'not to be found' } })
    const by = { account: accountOf('alice'), address: null }
    await expect(queueBulk(ctx, by, input, 'owner')).rejects.toMatchObject({ code: 'validation_failed' })
    for (const which of [{}, { matching: {} }, { matching: { q: '' } }, { ids: ['1'], matching: { q: 'x' } }]) {
      expect(AdminBulkLinks.safeParse({ action: 'delete', ...which }).success).toBe(false)
      expect(BulkLinks.safeParse({ action: 'delete', ...which }).success).toBe(false)
    }
  })
})
