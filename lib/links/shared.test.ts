import { beforeAll, describe, expect, it } from 'vitest'
import { anonymous } from '@/lib/actor'
import { testDatabase } from '@/lib/testing/database'
import { freshCode } from '@/lib/testing/links'
import { testRedis } from '@/lib/testing/redis'
import { owner, settled, testRuntime } from '@/lib/testing/runtime'
import { banLink, switchLink, unbanLink } from './ban'
import { createLink } from './create'
import { deleteFound, deleteLink } from './delete'
import { FREE_WHEN_SHARED } from './fixed'
import { OURSELVES } from './permit'
import { createOrReuse } from './reuse'
import { UpdateLink } from './schemas'
import { updateLink } from './update'
import { toView } from './view'

const { url } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })
beforeAll(() => settled(ctx))

/** A link of one person that another was given too; `maker` is the first, with the manage token. */
async function sharedLink() {
  const destination = `https://example.com/${freshCode()}`
  const { link, manageToken } = await createLink(ctx, anonymous(), { url: destination })
  const given = await createOrReuse(ctx, anonymous(), { url: destination, reuse: true })
  expect(given.link.code).toBe(link.code)
  return { link, maker: anonymous(manageToken) }
}

/** Something else for each field that can be changed at all. */
const CHANGES: Record<string, unknown> = {
  url: 'https://evil.example/',
  title: 'Mine',
  startsAt: new Date(Date.now() + 86_400_000),
  expiresAt: new Date(Date.now() - 1_000),
  expiredUrl: 'https://evil.example/',
  routing: { query: 'forward' },
  preview: { source: 'destination' },
  password: 'secret',
  maxClicks: 1,
  listed: true,
  redirectStatus: 301,
  publicHistory: false,
  enabled: false,
  tags: ['Mine'],
  folder: 'Mine',
  comment: 'mine',
  archived: true,
  favorite: true,
}
/** What needs an account, which the maker of a shared link has not. */
const OF_ACCOUNTS = ['listed', 'tags', 'folder', 'comment', 'archived', 'favorite']

describe('a link that others were given too', () => {
  const names = Object.keys(UpdateLink.shape)

  it.each(names)('keeps its %s unless that changes nothing for them', async (name) => {
    expect(Object.keys(CHANGES), 'this test knows every field').toContain(name)
    const { link, maker } = await sharedLink()
    const change = updateLink(ctx, maker, { code: link.code }, { [name]: CHANGES[name] })
    if ((FREE_WHEN_SHARED as readonly string[]).includes(name)) await change
    else
      await expect(change).rejects.toMatchObject(
        OF_ACCOUNTS.includes(name) ? { code: expect.any(String) } : { code: 'conflict', errors: [{ path: name }] },
      )
    const row = await ctx.db.client.link.findUnique({ where: { id: link.id } })
    expect(row).toMatchObject({
      url: link.url,
      state: 'active',
      expiresAt: null,
      expiredUrl: null,
      passwordHash: null,
      maxClicks: null,
    })
  })

  it('says to its maker that it is shared, and no other does', async () => {
    const { link } = await sharedLink()
    const row = await ctx.db.client.link.findUniqueOrThrow({ where: { id: link.id } })
    expect(toView(row, ctx.domains).shared).toBe(true)
    expect(toView((await createLink(ctx, anonymous(), { url: 'https://example.com/' })).link, ctx.domains).shared).toBe(false)
  })

  it('leads nowhere else by a past end with an address of the maker’s, in one request or two', async () => {
    const { link, maker } = await sharedLink()
    const over = { expiresAt: new Date(Date.now() - 1_000), expiredUrl: 'https://evil.example/' }
    await expect(updateLink(ctx, maker, { code: link.code }, over)).rejects.toMatchObject({ code: 'conflict' })
    await expect(updateLink(ctx, maker, { code: link.code }, { expiredUrl: over.expiredUrl })).rejects.toMatchObject({
      code: 'conflict',
    })
    const { entry } = await ctx.lookup.find(link.fullShortUrl)
    expect(entry.record).toMatchObject({ url: link.url, expiresAt: null, expiredUrl: null })
  })

  it('takes a form that is sent as a whole, where nothing is different', async () => {
    const { link, maker } = await sharedLink()
    const same = {
      url: link.url,
      startsAt: null,
      expiresAt: null,
      expiredUrl: null,
      maxClicks: null,
      redirectStatus: 302,
      enabled: true,
    } as const
    await expect(updateLink(ctx, maker, { code: link.code }, { ...same, password: null })).resolves.toMatchObject({
      url: link.url,
    })
  })

  it('is not deleted by its maker, who is told why, and not in the moment in which it is handed out either', async () => {
    const { link, maker } = await sharedLink()
    await expect(deleteLink(ctx, maker, { code: link.code })).rejects.toMatchObject({ code: 'conflict' })
    for (let round = 0; round < 10; round++) {
      const destination = `https://example.com/${freshCode()}`
      const first = await createLink(ctx, anonymous(), { url: destination })
      const [deleted, given] = await Promise.allSettled([
        deleteLink(ctx, anonymous(first.manageToken), { code: first.link.code }),
        createOrReuse(ctx, anonymous(), { url: destination, reuse: true }),
      ])
      if (given.status === 'rejected') throw given.reason
      const isThere = (await ctx.db.client.link.count({ where: { fullShortUrl: given.value.link.fullShortUrl } })) === 1
      expect([isThere, given.value.isNew]).toEqual([true, deleted.status === 'fulfilled'])
    }
  })

  it('is still banned, switched off and deleted by admins, for it may have to go', async () => {
    const { link } = await sharedLink()
    await banLink(ctx, OURSELVES, link.id, 'Phishing.')
    await unbanLink(ctx, OURSELVES, link.id)
    await expect(switchLink(ctx, { ...owner('boss', 'admin'), isModerator: true }, link.id, false)).resolves.toMatchObject({
      state: 'disabled',
    })
    await deleteFound(ctx, OURSELVES, link)
    expect(await ctx.db.client.link.count({ where: { id: link.id } })).toBe(0)
  })
})
