import { beforeAll, describe, expect, it } from 'vitest'
import { anonymous } from '@/lib/actor'
import type { Link } from '@/lib/db/generated/client'
import { isTerseError, type TerseError } from '@/lib/errors'
import { testDatabase } from '@/lib/testing/database'
import { deletedRow, HOST, linkRow } from '@/lib/testing/links'
import { testRedis } from '@/lib/testing/redis'
import { owner } from '@/lib/testing/runtime'
import { spokenRuntimes } from '@/lib/testing/spoken'
import { deleteLink } from './delete'
import { insertLinks } from './insert'
import { restoreLink } from './restore'
import { SpokenInput } from './schemas'
import { createSpoken } from './spoken'
import { sweepSpoken } from './spoken-sweep'
import { updateLink } from './update'

const { url } = await testDatabase()
const server = await testRedis()
const settings = { DATABASE_URL: url, REDIS_URL: server.url }
const { ctx, other, ready } = await spokenRuntimes(settings)
beforeAll(ready)

const MINUTE = 60_000
const DAY = 86_400_000
const GRACE = ctx.config.SPOKEN_GRACE
const alice = owner('alice')
const input = (given: Partial<SpokenInput> = {}) => SpokenInput.parse({ url: 'https://example.com/aloud', ...given })
const record = async (code: string) => (await other.lookup.find(`${HOST}/${code}`)).entry.record
const refusal = (work: Promise<unknown>): Promise<TerseError | null> =>
  work.then(
    () => null,
    (error: unknown) => {
      if (isTerseError(error)) return error
      throw error
    },
  )
const purged = async () => (await ctx.db.client.clickPurge.findMany()).map(({ linkId }) => linkId)

/** Tries again when there is too much going on, as clients do. */
async function persistently(on: typeof ctx): Promise<Link> {
  for (;;) {
    try {
      return await createSpoken(on, anonymous(), input())
    } catch (error) {
      if (!isTerseError(error) || error.code !== 'unavailable') throw error
    }
  }
}

/** The next number that Redis gives to anyone, without giving it away. */
async function next(digits: 4 | 5 | 6): Promise<string> {
  const { code } = await ctx.ids.spoken.issue(digits, 0, 1)
  await ctx.redis.client.hincrby(`{spoken:${digits}}:about`, 'next', -1)
  return code
}

describe('a spoken link', () => {
  it('has the digits asked for and its time, and is known everywhere at once', async () => {
    for (const digits of [4, 5, 6] as const) {
      const before = Date.now()
      const link = await createSpoken(ctx, alice, input({ digits, ttl: 90 }))
      expect(link.code).toMatch(new RegExp(`^\\d{${digits}}$`))
      expect(link.ownerId).toBe('alice')
      expect((link.expiresAt?.getTime() ?? 0) - before).toBeGreaterThanOrEqual(90_000)
      expect(await record(link.code)).toMatchObject({ url: 'https://example.com/aloud', id: link.id.toString() })
      expect(await ctx.db.client.link.findUnique({ where: { id: link.id } })).toMatchObject({ code: link.code })
    }
    expect(await ctx.db.client.outbox.count()).toBe(0)
  })

  it('never shares its number, with 64 clients racing in two processes', async () => {
    const links = await Promise.all(Array.from({ length: 64 }, (_, i) => persistently(i % 2 ? ctx : other)))
    expect(new Set(links.map(({ code }) => code)).size).toBe(64)
  })

  it('leads nowhere of ours, and needs an account where links do', async () => {
    expect((await refusal(createSpoken(ctx, alice, input({ url: `http://${HOST}/x` }))))?.errors?.[0]?.path).toBe('url')
    const closed = { ...ctx, config: { ...ctx.config, ANONYMOUS_LINKS: false } }
    expect((await refusal(createSpoken(closed, anonymous(), input())))?.code).toBe('unauthorized')
  })

  it('cannot be made to live longer', async () => {
    const { code, expiresAt } = await createSpoken(ctx, alice, input())
    const longer = { expiresAt: new Date((expiresAt?.getTime() ?? 0) + 1) }
    expect((await refusal(updateLink(ctx, alice, { code }, longer)))?.errors?.[0]?.path).toBe('expiresAt')
    expect((await refusal(updateLink(ctx, alice, { code }, { expiresAt: null })))?.errors?.[0]?.path).toBe('expiresAt')
    expect(await updateLink(ctx, alice, { code }, { title: 'Menu' })).toMatchObject({ title: 'Menu', expiresAt })
  })
})

describe('a number', () => {
  it('goes to another link once its own has expired and rested, whose clicks are then deleted', async () => {
    const code = await next(5)
    const old = linkRow({ code, expiresAt: new Date(Date.now() - GRACE - 1), clicks: 3n })
    await insertLinks(ctx.db.client, [old])
    await ctx.registry.add([{ full: old.fullShortUrl, freedAt: null }], 'current')
    expect(await record(code)).toMatchObject({ id: old.id.toString() })
    const link = await createSpoken(ctx, alice, input({ digits: 5 }))
    expect(link.code).toBe(code)
    expect(await ctx.db.client.link.findMany({ where: { code }, select: { id: true } })).toEqual([{ id: link.id }])
    // The other process had the former link in memory: it hears of the change within a second.
    await expect.poll(() => record(code)).toMatchObject({ id: link.id.toString() })
    expect(await purged()).toContain(old.id)
  })

  it.each([
    ['whose link is alive', { expiresAt: new Date(Date.now() + DAY) }],
    ['whose link has expired, but not rested', { expiresAt: new Date(Date.now() - GRACE + MINUTE) }],
    ['whose link never expires', { expiresAt: null }],
  ])('%s is not given, whatever Redis thinks', async (_, given) => {
    const code = await next(6)
    const link = linkRow({ code, ...given })
    await insertLinks(ctx.db.client, [link])
    expect((await createSpoken(ctx, alice, input({ digits: 6 }))).code).not.toBe(code)
    expect(await ctx.db.client.link.findMany({ where: { code }, select: { id: true } })).toEqual([{ id: link.id }])
    await ctx.db.client.link.delete({ where: { id: link.id } })
  })

  it('of a deleted link rests too, and then cannot be had back', async () => {
    const resting = await next(5)
    await ctx.db.client.deletedLink.create({
      data: deletedRow(linkRow({ code: resting }), new Date(Date.now() - GRACE + MINUTE)),
    })
    expect((await createSpoken(ctx, alice, input({ digits: 5 }))).code).not.toBe(resting)
    const code = await next(5)
    const gone = linkRow({ code, ownerId: 'alice' })
    await ctx.db.client.deletedLink.create({ data: deletedRow(gone, new Date(Date.now() - GRACE - 1)) })
    expect((await createSpoken(ctx, owner('bob'), input({ digits: 5 }))).code).toBe(code)
    expect((await refusal(restoreLink(ctx, alice, { code })))?.code).toBe('not_found')
    expect(await purged()).toContain(gone.id)
  })

  it('that was given again cannot be restored', async () => {
    const { code, id } = await createSpoken(ctx, alice, input({ digits: 6 }))
    await deleteLink(ctx, alice, { code })
    await insertLinks(ctx.db.client, [linkRow({ code, expiresAt: new Date(Date.now() + DAY) })])
    expect((await refusal(restoreLink(ctx, alice, { code })))?.code).toBe('conflict')
    expect(await ctx.db.client.link.findUnique({ where: { id } })).toBeNull()
  })

  it('is forgotten with its link a day after that expired, and no other code is', async () => {
    const now = Date.now()
    const code = (n: number) => String(700_000 + n)
    const expired = [1, 2, 3].map((n) => linkRow({ code: code(n), expiresAt: new Date(now - DAY - n) }))
    const kept = [
      linkRow({ code: code(4), expiresAt: new Date(now - DAY + MINUTE) }),
      linkRow({ code: code(5), expiresAt: new Date(now + MINUTE) }),
      linkRow({ code: '7000001', expiresAt: new Date(now - 9 * DAY) }),
      linkRow({ code: '70000a', expiresAt: new Date(now - 9 * DAY) }),
    ]
    await insertLinks(ctx.db.client, [...expired, ...kept])
    await sweepSpoken(ctx, now)
    const left = (await ctx.db.client.link.findMany({ select: { id: true } })).map(({ id }) => id)
    expect(left).toEqual(expect.arrayContaining(kept.map(({ id }) => id)))
    for (const { id } of expired) expect(left).not.toContain(id)
    expect(await purged()).toEqual(expect.arrayContaining(expired.map(({ id }) => id)))
  })
})

describe('with all numbers alive', () => {
  it('answers 503 with the time at which the next one frees', async () => {
    const now = Date.now()
    // Redis is told at once what 10,000 creations would tell it.
    for (let i = 0; i < 10_000; i += 500) {
      await Promise.all(Array.from({ length: 500 }, () => refusal(ctx.ids.spoken.issue(4, now + 60 * MINUTE))))
    }
    const error = await refusal(createSpoken(ctx, alice, input()))
    expect(error).toMatchObject({ code: 'unavailable', status: 503 })
    expect(error?.retryAfter).toBeGreaterThan(0)
    expect(error?.retryAfter).toBeLessThanOrEqual(3_600 + GRACE / 1000)
  })
})
