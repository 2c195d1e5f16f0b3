import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { MAX_FREED, pruneFreed, readFilter } from '@/lib/codes/fill'
import { capacityFor } from '@/lib/codes/rebuild'
import { Registry } from '@/lib/codes/registry'
import { SHARDS, shardKeys } from '@/lib/codes/shards'
import { DatabaseGateway } from '@/lib/db/gateway'
import { insertLinks } from '@/lib/links/insert'
import { testDatabase } from '@/lib/testing/database'
import { SMALL_FILTER } from '@/lib/testing/filter'
import { linkRow, SILENT } from '@/lib/testing/links'
import { openRedis, testRedis } from '@/lib/testing/redis'
import { CodeReconciler } from './code-reconciler'

const DAY = 86_400_000
const MINUTE = 60_000
const redis = await openRedis((await testRedis()).url)
const registry = new Registry(redis, 90 * DAY)
const { url } = await testDatabase()
const db = new DatabaseGateway(url, 4)
afterAll(() => db.close())

const settings = { ...SMALL_FILTER, capacity: 1_000, maxCapacity: 4_000 }
const links = Array.from({ length: 2_700 }, () => linkRow())
const fullOf = (some: typeof links) => some.map(({ fullShortUrl }) => ({ full: fullShortUrl, freedAt: null }))
const newReconciler = () => new CodeReconciler({ redis, db, registry, settings, log: SILENT })
const state = () => readFilter(redis, settings)

beforeEach(async () => {
  await redis.client.flushall()
  await db.client.link.deleteMany()
})

/** Creates links until the filter holds so many. */
async function createUpTo(count: number): Promise<void> {
  const known = await db.client.link.count()
  const more = links.slice(known, count)
  if (more.length === 0) return
  await insertLinks(db.client, more)
  await registry.add(fullOf(more), 'current')
}

describe('a filter that fills', () => {
  it('is made larger by itself before it is full, up to what it may have, and stays trusted', async () => {
    const reconciler = newReconciler()
    const now = Date.now()
    await reconciler.check(now)
    await createUpTo(700)
    await reconciler.check(now + 2 * MINUTE)
    expect((await state()).capacity).toBe(1_000)

    await createUpTo(900)
    await reconciler.check(now + 4 * MINUTE)
    expect(await state()).toMatchObject({ trustedShards: SHARDS, capacity: 2_000 })
    expect((await state()).fill).toBeLessThan(0.4)

    await createUpTo(1_800)
    await reconciler.check(now + 6 * MINUTE)
    expect(await state()).toMatchObject({ trustedShards: SHARDS, capacity: 4_000 })
    const answers = await Promise.all(links.slice(0, 1_800).map(({ fullShortUrl }) => registry.lookup(fullShortUrl)))
    expect(answers.filter(({ trusted, mayExist }) => !trusted || !mayExist)).toEqual([])
  })

  it('that may not grow is left as it is, and not made again each minute', async () => {
    const reconciler = new CodeReconciler({ redis, db, registry, settings: { ...settings, maxCapacity: 1_000 }, log: SILENT })
    const now = Date.now()
    await reconciler.check(now)
    await createUpTo(1_500)
    const before = await redis.client.hget(shardKeys(0).marker, 'rebuild')
    for (let minutes = 2; minutes < 8; minutes += 2) await reconciler.check(now + minutes * MINUTE)
    expect(await redis.client.hget(shardKeys(0).marker, 'rebuild')).toBe(before)
    expect((await state()).trustedShards).toBe(SHARDS)
  })

  it('with codes of links that are gone is made again of the same size', async () => {
    const reconciler = newReconciler()
    const now = Date.now()
    await reconciler.check(now)
    await createUpTo(2_000)
    await db.client.link.deleteMany({ where: { id: { notIn: links.slice(0, 100).map(({ id }) => id) } } })
    await reconciler.check(now + 2 * MINUTE)
    const { capacity, codes } = await state()
    expect(capacity).toBe(1_000)
    expect(codes).toBeLessThan(120)
  })

  it.each([
    [0, 1_000],
    [500, 1_000],
    [501, 2_000],
    [1_700, 4_000],
    [1_000_000, 4_000],
  ])('has room for twice %i codes: %i', (codes, capacity) => expect(capacityFor(codes, settings)).toBe(capacity))
})

describe('freed codes', () => {
  const free = (count: number, freedAt: (i: number) => number) =>
    registry.add(
      Array.from({ length: count }, (_, i) => ({ full: `terse.test/gone${i}`, freedAt: freedAt(i) })),
      'current',
    )

  it('are forgotten when their quarantine is over, and can still be claimed with the word of MySQL', async () => {
    const reconciler = new CodeReconciler({ redis, db, registry, settings: { ...settings, capacity: 50_000 }, log: SILENT })
    const now = Date.now()
    await reconciler.check(now)
    // More than are removed at a time.
    await free(20_000, (i) => now - (i % 2 === 0 ? 91 : 89) * DAY)
    expect((await state()).freed).toBe(20_000)
    await reconciler.check(now + 2 * MINUTE)
    expect((await state()).freed).toBe(10_000)
    expect(await registry.claim(['terse.test/gone0', 'terse.test/gone1'])).toEqual(['maybe', 'quarantined'])
  })

  it('are never more than there is room for, the oldest forgotten first, even where codes are never used again', async () => {
    await newReconciler().check()
    await free(8_000, (i) => 1_000 + i)
    expect(await pruneFreed(redis, Number.NEGATIVE_INFINITY)).toBe(0)
    expect(MAX_FREED).toBeGreaterThan(8_000)
    await pruneFreed(redis, Number.NEGATIVE_INFINITY, 1_600)
    expect((await state()).freed).toBe(1_600)
    expect(await registry.claim(['terse.test/gone7999', 'terse.test/gone0'], 5_000)).toEqual(['quarantined', 'maybe'])
  })
})
