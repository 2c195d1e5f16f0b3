import murmurhash from 'murmurhash'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Actor, anonymous } from '@/lib/actor'
import { base62 } from '@/lib/codes/base62'
import { testDatabase } from '@/lib/testing/database'
import { freshCode, linkRow } from '@/lib/testing/links'
import { testRedis } from '@/lib/testing/redis'
import { owner, settled, testRuntime } from '@/lib/testing/runtime'
import { sha256 } from '@/lib/tools/hash'
import { createLink } from './create'
import { deleteLink } from './delete'
import { insertLinks } from './insert'
import { createOrReuse } from './reuse'
import type { CreateLinkData } from './schemas'
import { updateLink } from './update'

const { url } = await testDatabase()
const server = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: server.url })
beforeAll(() => settled(ctx))

const freshUrl = () => `https://example.com/${freshCode()}`
const make = (actor: Actor, input: Partial<CreateLinkData> & { url: string }) => createLink(ctx, actor, input)
const reuse = (actor: Actor, input: Partial<CreateLinkData> & { url: string }) =>
  createOrReuse(ctx, actor, { ...input, reuse: true })

describe('reuse', () => {
  it('gives an account its existing link to the same destination, every time', async () => {
    const destination = freshUrl()
    const first = await reuse(owner('alice'), { url: destination })
    if (!first.isNew) throw new Error('there was one')
    for (let i = 0; i < 3; i++) {
      const again = await reuse(owner('alice'), { url: destination })
      expect(again).toMatchObject({ isNew: false, link: { id: first.link.id, shared: false } })
    }
  })

  it('finds a link whose code was generated before codes were permuted', async () => {
    const destination = freshUrl()
    const code = base62(murmurhash.v3(destination, 1), murmurhash.v3(destination, 2), 7)
    const old = { ...linkRow({ code, ownerId: 'alice' }), url: destination, urlHash: sha256(destination) }
    const domain = await ctx.domains.default()
    await insertLinks(ctx.db.client, [{ ...old, domainId: domain.id, fullShortUrl: `${domain.host}/${code}` }])
    expect(await reuse(owner('alice'), { url: destination })).toMatchObject({ isNew: false, link: { code } })
  })

  it('takes no listed link for one that is not, nor the other way round', async () => {
    const [destination, other] = [freshUrl(), freshUrl()]
    await make(owner('alice'), { url: destination })
    expect(await reuse(owner('alice'), { url: destination, listed: true })).toMatchObject({ isNew: true, link: { listed: true } })
    await make(owner('alice'), { url: other, listed: true })
    expect(await reuse(owner('alice'), { url: other })).toMatchObject({ isNew: true, link: { listed: false } })
  })

  it('never crosses from one account to another, or to those without one', async () => {
    const destination = freshUrl()
    const made = await Promise.all([owner('alice'), owner('bob'), anonymous()].map((actor) => reuse(actor, { url: destination })))
    expect(made.map(({ isNew }) => isNew)).toEqual([true, true, true])
  })

  it('without an account shares the link, gives no token away, and fixes its destination from then on', async () => {
    const destination = freshUrl()
    const first = await make(anonymous(), { url: destination })
    const again = await reuse(anonymous(), { url: destination })
    expect(again).toMatchObject({ isNew: false, link: { code: first.link.code } })
    expect(again).not.toHaveProperty('manageToken')
    expect(await ctx.db.client.link.findUnique({ where: { id: first.link.id } })).toMatchObject({ shared: true })
    const change = (input: object) => updateLink(ctx, anonymous(first.manageToken), { code: first.link.code }, input)
    await expect(change({ url: freshUrl() })).rejects.toMatchObject({ code: 'conflict', errors: [{ path: 'url' }] })
    await expect(change({ title: 'mine', url: destination })).resolves.toMatchObject({ title: 'mine' })
  })

  it.each([
    ['a password', { password: 'x' }],
    ['a title', { title: 'x' }],
    ['a click limit', { maxClicks: 5 }],
    ['an end', { expiresAt: new Date(Date.now() + 1e9) }],
    ['a start', { startsAt: new Date(Date.now() + 1e9) }],
    ['another address after its end', { expiredUrl: 'https://example.com/over' }],
    ['off', { enabled: false }],
    ['a custom code', {}],
  ])('makes a new link where one with %s is asked for', async (name, given) => {
    const destination = freshUrl()
    await make(anonymous(), { url: destination })
    const code = name === 'a custom code' ? { code: freshCode() } : {}
    expect(await reuse(anonymous(), { url: destination, ...given, ...code })).toMatchObject({ isNew: true })
  })

  it.each([
    ['a password', { password: 'x' }],
    ['a title', { title: 'x' }],
    ['a click limit', { maxClicks: 5 }],
    ['an end', { expiresAt: new Date(Date.now() + 1e9) }],
    ['a start', { startsAt: new Date(Date.now() + 1e9) }],
    ['another redirect status', { redirectStatus: 301 as const }],
  ])('does not hand out a link with %s to someone who asks for a plain one', async (_, given) => {
    const destination = freshUrl()
    await make(anonymous(), { url: destination, ...given })
    expect(await reuse(anonymous(), { url: destination })).toMatchObject({ isNew: true })
  })

  it('does not hand out a link that was disabled, deleted, or leads elsewhere now', async () => {
    const destination = freshUrl()
    for (const spoil of [
      (token: string | null, code: string) => updateLink(ctx, anonymous(token), { code }, { enabled: false }),
      (token: string | null, code: string) => updateLink(ctx, anonymous(token), { code }, { url: freshUrl() }),
      (token: string | null, code: string) => deleteLink(ctx, anonymous(token), { code }),
    ]) {
      const { link, manageToken } = await make(anonymous(), { url: destination })
      await spoil(manageToken, link.code)
    }
    expect(await reuse(anonymous(), { url: destination })).toMatchObject({ isNew: true })
  })

  it('never hands out a link whose destination its maker changes at the same moment', async () => {
    for (let round = 0; round < 20; round++) {
      const destination = freshUrl()
      const first = await make(anonymous(), { url: destination })
      const [changed, given] = await Promise.allSettled([
        updateLink(ctx, anonymous(first.manageToken), { code: first.link.code }, { url: freshUrl() }),
        reuse(anonymous(), { url: destination }),
      ])
      if (given.status === 'rejected') throw given.reason
      const row = await ctx.db.client.link.findUnique({ where: { fullShortUrl: given.value.link.fullShortUrl } })
      expect(row?.url).toBe(destination)
      if (changed.status === 'fulfilled') expect(given.value.isNew).toBe(true)
      else expect(changed.reason).toMatchObject({ code: 'conflict' })
    }
  })
})
