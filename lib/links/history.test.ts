import { beforeAll, describe, expect, it } from 'vitest'
import { claimLinks } from '@/lib/accounts/claim'
import { closeAccount, finishRemoval } from '@/lib/accounts/remove'
import { anonymous } from '@/lib/actor'
import { purgeClicks } from '@/lib/clicks/sweep'
import type { Link } from '@/lib/db/generated/client'
import { Pasts } from '@/lib/history/past'
import { listHistory } from '@/lib/history/read'
import { MOST_ENTRIES } from '@/lib/history/values'
import { keepAccount } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { freshCode } from '@/lib/testing/links'
import { testRedis } from '@/lib/testing/redis'
import { owner, settled, testRuntime } from '@/lib/testing/runtime'
import { actOnLink } from './act'
import { createLink } from './create'
import { deleteLink } from './delete'
import { OURSELVES } from './permit'
import { restoreLink } from './restore'
import { UpdateLink } from './schemas'
import { updateLink } from './update'
import { toView } from './view'

const { url } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })
beforeAll(async () => {
  await settled(ctx)
  for (const id of ['alice', 'root']) await keepAccount(ctx.db, id, id === 'root' ? 'admin' : 'user')
})

const alice = owner('alice')
const root = owner('root', 'admin')
const make = async (given: object = {}, by = alice) => {
  const code = freshCode()
  return createLink(ctx, by, { url: `https://example.com/${code}`, code, ...given })
}
const edit = (link: Link, input: object, by = alice) => updateLink(ctx, by, link, UpdateLink.parse(input))
const historyOf = async (link: Pick<Link, 'id'>, isAdmin = false) =>
  (await listHistory(ctx, link.id, { limit: 100 }, isAdmin)).entries
const rowOf = (link: Pick<Link, 'id'>) => ctx.db.client.link.findUniqueOrThrow({ where: { id: link.id } })
const said = async (link: Pick<Link, 'id'>) => (await historyOf(link)).map(({ by, changes }) => [by.kind, ...changes])

describe('the history of a link', () => {
  it('is empty of a new one, and of one that an edit left as it was', async () => {
    const { link } = await make({ title: 'Same' })
    await edit(link, { title: 'Same' })
    expect(await historyOf(link)).toEqual([])
  })

  it('tells who changed which fields, from what to what, and never a password', async () => {
    const { link } = await make()
    await edit(link, { url: 'https://example.com/b', title: 'B', password: 'open sesame' })
    await edit(link, { password: null, enabled: false })
    const [second, first] = await historyOf(link)
    expect(first?.by).toEqual({ kind: 'account', handle: null, name: 'Someone', job: false })
    expect(first?.changes).toEqual([
      { field: 'url', from: link.url, to: 'https://example.com/b' },
      { field: 'title', from: '', to: 'B' },
      { field: 'password', from: false, to: true },
    ])
    expect(second?.changes).toEqual([
      { field: 'state', from: 'active', to: 'disabled' },
      { field: 'password', from: true, to: false },
    ])
    const kept = await ctx.db.client.linkChange.findMany({ where: { linkId: link.id } })
    expect(JSON.stringify(kept, (_, value) => (typeof value === 'bigint' ? String(value) : value))).not.toMatch(/sesame|argon2/)
  })

  it('has what admins did, and which admin it was for admins alone', async () => {
    const { link } = await make()
    await actOnLink(ctx, root, link.id, 'ban', 'Phishing.')
    await actOnLink(ctx, root, link.id, 'unban', '')
    await actOnLink(ctx, OURSELVES, link.id, 'disable', '')
    expect(await said(link)).toEqual([
      ['system', { field: 'state', from: 'active', to: 'disabled' }],
      ['admin', { field: 'state', from: 'banned', to: 'active' }, { field: 'banReason', from: 'Phishing.', to: '' }],
      ['admin', { field: 'state', from: 'active', to: 'banned' }, { field: 'banReason', from: '', to: 'Phishing.' }],
    ])
    expect((await historyOf(link))[1]?.by).toEqual({ kind: 'admin', handle: null, name: null, job: false })
    expect((await historyOf(link, true))[1]?.by).toEqual({ kind: 'admin', handle: null, name: 'Someone', job: false })
  })

  it('says what a job did for its owner, and for an admin', async () => {
    const { link } = await make()
    const origin = { address: null, isJob: true }
    await edit(link, { enabled: false }, { ...alice, origin })
    await actOnLink(ctx, { ...root, origin }, link.id, 'enable', '')
    expect((await historyOf(link)).map(({ by }) => [by.kind, by.job])).toEqual([
      ['admin', true],
      ['account', true],
    ])
  })

  it('goes on from a manage token to the account that claims the link', async () => {
    const { link, manageToken } = await make({}, anonymous())
    await edit(link, { title: 'By token' }, anonymous(manageToken))
    await claimLinks(ctx, 'alice', [manageToken ?? ''])
    await edit(link, { title: 'By account' })
    expect(await said(link)).toEqual([
      ['account', { field: 'title', from: 'By token', to: 'By account' }],
      ['account', { field: 'owner', from: 'none', to: 'account' }],
      ['token', { field: 'title', from: '', to: 'By token' }],
    ])
  })

  it('survives deletion and restoration, and goes with the link for good', async () => {
    const { link } = await make()
    await edit(link, { title: 'Kept' })
    await deleteLink(ctx, alice, link)
    await restoreLink(ctx, alice, link)
    expect(await said(link)).toEqual([
      ['account', { field: 'state', from: 'deleted', to: 'active' }],
      ['account', { field: 'state', from: 'active', to: 'deleted' }],
      ['account', { field: 'title', from: '', to: 'Kept' }],
    ])
    await deleteLink(ctx, alice, link)
    await ctx.db.client.deletedLink.deleteMany({ where: { id: link.id } })
    await ctx.db.client.clickPurge.createMany({ data: [{ linkId: link.id }] })
    await purgeClicks(ctx.db)
    expect(await historyOf(link)).toEqual([])
  })

  it('names an account no more once that is removed; where its links led stays', async () => {
    await keepAccount(ctx.db, 'leaving')
    const { link } = await make({ listed: true }, owner('leaving'))
    await edit(link, { url: 'https://example.com/moved' }, owner('leaving'))
    await closeAccount(ctx, 'leaving', 'keep')
    await finishRemoval(ctx, 'leaving')
    const [last, first] = await historyOf(link, true)
    expect(first).toMatchObject({
      by: { kind: 'account', handle: null, name: null },
      changes: [{ field: 'url', from: link.url }],
    })
    expect(last).toMatchObject({
      by: { kind: 'system' },
      changes: [
        { field: 'listed', from: true, to: false },
        { field: 'owner', from: 'account', to: 'none' },
      ],
    })
    expect(await ctx.db.client.linkChange.count({ where: { byId: 'leaving' } })).toBe(0)
  })

  it('is a whole chain after edits by many at once, each of which is an entry', async () => {
    const { link } = await make({ title: '0' })
    const titles = Array.from({ length: 24 }, (_, i) => String(i + 1))
    const results = await Promise.allSettled(titles.map((title) => edit(link, { title, url: `https://example.com/${title}` })))
    const done = results.filter(({ status }) => status === 'fulfilled').length
    expect(done).toBeGreaterThan(4)
    const entries = (await historyOf(link)).toReversed()
    expect(entries).toHaveLength(done)
    for (const field of ['title', 'url'] as const) {
      const steps = entries.map(({ changes }) => changes.find((change) => change.field === field))
      expect(steps[0]?.from).toBe(link[field])
      steps.slice(1).forEach((step, i) => {
        expect(step?.from).toBe(steps[i]?.to)
      })
      expect(steps.at(-1)?.to).toBe((await rowOf(link))[field])
    }
  })

  it('stands and falls with the change', async () => {
    const { link } = await make()
    // Something that is there already, so that the entry cannot be written.
    const { id: linkId, version } = await rowOf(link)
    const entry = { at: new Date(), byKind: 4, byId: null, leads: false, wasOpen: true, changes: '[]' }
    await ctx.db.client.linkChange.create({ data: { linkId, version: version + 1n, ...entry } })
    await expect(edit(link, { title: 'Lost' })).rejects.toThrow()
    await expect(deleteLink(ctx, alice, link)).rejects.toThrow()
    expect(await rowOf(link)).toMatchObject({ title: '', version })
  })

  it('keeps the first and the latest, of destinations apart from the rest, and counts what is gone', async () => {
    const { link } = await make()
    const many = MOST_ENTRIES + 3
    for (let i = 1; i <= 2; i++) await edit(link, { url: `https://example.com/${i}` })
    for (let i = 1; i <= many; i++) await edit(link, { title: `Title ${i}` })
    const entries = await historyOf(link)
    expect(entries).toHaveLength(MOST_ENTRIES + 2)
    expect(entries.filter(({ changes }) => changes[0]?.field === 'url')).toHaveLength(2)
    const titles = entries.filter(({ changes }) => changes[0]?.field === 'title')
    expect(titles.at(-1)).toMatchObject({ changes: [{ from: '', to: 'Title 1' }], dropped: 3 })
    expect(titles.at(-2)).toMatchObject({ changes: [{ from: 'Title 4', to: 'Title 5' }], dropped: 0 })
    expect(titles[0]).toMatchObject({ changes: [{ to: `Title ${many}` }] })
  })

  it('is read in pages', async () => {
    const { link } = await make()
    for (const title of ['a', 'b', 'c']) await edit(link, { title })
    const first = await listHistory(ctx, link.id, { limit: 2 }, false)
    expect(first.entries.map(({ changes }) => changes[0]?.to)).toEqual(['c', 'b'])
    const cursor = first.nextCursor ?? ''
    const rest = await listHistory(ctx, link.id, { limit: 2, cursor }, false)
    expect([rest.entries.map(({ changes }) => changes[0]?.to), rest.nextCursor]).toEqual([['a'], null])
    await expect(listHistory(ctx, link.id, { limit: 2, cursor: 'x' }, false)).rejects.toMatchObject({ code: 'bad_request' })
  })
})

describe('what visitors are told', () => {
  const pasts = new Pasts(ctx.db)
  const pastOf = async (link: Pick<Link, 'id'>) => {
    const { id, version, url: destination } = await rowOf(link)
    return pasts.find({ id: id.toString(), version: version.toString(), url: destination, routing: null })
  }
  const urls = async (link: Pick<Link, 'id'>) => (await pastOf(link))?.before.map(({ to }) => to?.url ?? null)

  it('is where the link led, but for what they could not see then', async () => {
    const { link } = await make({ url: 'https://example.com/1' })
    expect(await pastOf(link)).toMatchObject({ since: +link.createdAt, before: [], more: 0 })
    await edit(link, { url: 'https://example.com/2' })
    await edit(link, { password: 'open sesame' })
    await edit(link, { url: 'https://example.com/3' })
    await edit(link, { password: null })
    await edit(link, { url: 'https://example.com/4' })
    // Off, replaced, on again: that there was something else is seen.
    await edit(link, { enabled: false })
    await edit(link, { url: 'https://example.com/5' })
    await edit(link, { enabled: true })
    const until = 'https://example.com/'
    expect(await urls(link)).toEqual([null, `${until}3`, null, `${until}1`])
  })

  it('is private by a choice that is itself told, and that a new link cannot make', async () => {
    const { link } = await make({ url: 'https://example.com/1' })
    await edit(link, { url: 'https://example.com/2' })
    const hidden = await edit(link, { publicHistory: false })
    expect(toView(hidden, ctx.domains)).toMatchObject({ publicHistory: false })
    const past = await pastOf(link)
    expect(past).toMatchObject({ before: [], more: 0, hiddenSince: hidden.historyHiddenAt?.getTime() })
    // Saying so again is no later start, nor a change.
    await edit(link, { publicHistory: false })
    expect((await pastOf(link))?.hiddenSince).toBe(past?.hiddenSince)
    const swapped = await edit(link, { url: 'https://example.com/3' })
    expect((await pastOf(link))?.since).toBe(+swapped.updatedAt)
    await edit(link, { publicHistory: true })
    expect(await urls(link)).toEqual(['https://example.com/2', 'https://example.com/1'])
    expect((await historyOf(link)).filter(({ changes }) => changes[0]?.field === 'publicHistory')).toHaveLength(2)
  })

  it('is the last 25, and how many more there were', async () => {
    const { link } = await make()
    for (let i = 1; i <= MOST_ENTRIES + 5; i++) await edit(link, { url: `https://example.com/${i}` })
    const past = await pastOf(link)
    expect([past?.before.length, past?.more]).toEqual([25, MOST_ENTRIES + 5 - 25])
  })
})
