import { beforeAll, describe, expect, it, vi } from 'vitest'
import { anonymous } from '@/lib/actor'
import { filterSettings } from '@/lib/codes/rebuild'
import { shardKeys, shardOf } from '@/lib/codes/shards'
import { banLink } from '@/lib/links/ban'
import { createLink } from '@/lib/links/create'
import { OURSELVES } from '@/lib/links/permit'
import { testDatabase } from '@/lib/testing/database'
import { publishHeard } from '@/lib/testing/filter'
import { testRedis } from '@/lib/testing/redis'
import { settled, testRuntime } from '@/lib/testing/runtime'
import { changeOf, encodeRecord, toRecord } from './record'
import { rebuildCodes } from './trust'

const { url: DATABASE_URL } = await testDatabase()
const server = await testRedis()
const ctx = await testRuntime({ DATABASE_URL, REDIS_URL: server.url })
const other = await testRuntime({ DATABASE_URL, REDIS_URL: server.url })
const PATIENCE = { timeout: 10_000, interval: 20 }
beforeAll(() => settled(ctx, other))

describe('a ban after MySQL was put back to an older copy', () => {
  it('takes the place of the newer record that Redis holds', async () => {
    const { link } = await createLink(ctx, anonymous(), { url: 'https://example.com/' })
    const later = toRecord({ ...link, version: link.version + 3n })
    await publishHeard(ctx.redis, changeOf(link.fullShortUrl, later)) // of which MySQL knows nothing any more
    const banned = await banLink(ctx, OURSELVES, link.id, 'phishing')
    expect((await ctx.registry.lookup(link.fullShortUrl)).record).toBe(encodeRecord(toRecord(banned)))
    expect((await ctx.lookup.find(link.fullShortUrl)).entry.record).toMatchObject({ state: 'banned' })
  })
})

describe('a rebuild after MySQL was put back to an older copy', () => {
  it('has MySQL counted everywhere, for links that nobody changes too', async () => {
    const make = async () => (await createLink(ctx, anonymous(), { url: 'https://example.com/' })).link
    const [changed, unknown, remembered, kept] = [await make(), await make(), await make(), await make()]
    const later = (link: typeof kept) =>
      changeOf(link.fullShortUrl, toRecord({ ...link, url: 'https://later.example.com/', version: link.version + 3n }))
    for (const link of [changed, unknown, remembered]) await publishHeard(ctx.redis, later(link))
    await vi.waitFor(async () => {
      for (const { fullShortUrl } of [changed, unknown, remembered]) {
        expect((await other.lookup.find(fullShortUrl)).entry.record).toMatchObject({ url: 'https://later.example.com/' })
      }
    }, PATIENCE)
    await publishHeard(ctx.redis, changeOf(kept.fullShortUrl, toRecord(kept)))
    await ctx.db.client.link.delete({ where: { id: unknown.id } }) // created after the copy
    const { record } = shardKeys(shardOf(remembered.fullShortUrl))
    await ctx.redis.client.del(record(remembered.fullShortUrl)) // Redis has forgotten it, memory has not

    await rebuildCodes(
      { ...ctx, settings: filterSettings(ctx.config) },
      () => {},
      () => {},
    )

    expect((await ctx.registry.lookup(changed.fullShortUrl)).record).toBe(encodeRecord(toRecord(changed)))
    expect((await ctx.registry.lookup(kept.fullShortUrl)).record).toBe(encodeRecord(toRecord(kept)))
    expect(await ctx.registry.lookup(unknown.fullShortUrl)).toEqual({ trusted: true, record: null, mayExist: false })
    await vi.waitFor(async () => {
      for (const link of [changed, remembered, kept]) {
        expect((await other.lookup.find(link.fullShortUrl)).entry.record).toEqual(toRecord(link))
      }
      expect((await other.lookup.find(unknown.fullShortUrl)).entry.record).toBeNull()
    }, PATIENCE)
  })

  it('leaves alone what is no record', async () => {
    const { link } = await createLink(ctx, anonymous(), { url: 'https://example.com/' })
    const key = shardKeys(shardOf(link.fullShortUrl)).record(link.fullShortUrl)
    await ctx.redis.client.del(key)
    await ctx.redis.client.lpush(key, 'of another type')
    await rebuildCodes(
      { ...ctx, settings: filterSettings(ctx.config) },
      () => {},
      () => {},
    )
    expect(await ctx.redis.client.lrange(key, 0, -1)).toEqual(['of another type'])
  })
})
