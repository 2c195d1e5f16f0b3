import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshFilter, publishHeard, SMALL_FILTER } from '@/lib/testing/filter'
import { freshCode } from '@/lib/testing/links'
import { openRedis, testRedis } from '@/lib/testing/redis'
import { Registry } from './registry'
import { hashCode, shardKeys } from './shards'

const server = await testRedis()
const redis = await openRedis(server.url)
const DAY = 86_400_000
const freshFull = () => `terse.test/${freshCode()}`
const tombstone = (version: number) => `${String(version).padStart(19, '0')}{"d":1}`

beforeAll(() => freshFilter(redis, { ...SMALL_FILTER, capacity: 1_000_000 }))

describe('a claim', () => {
  it('is given to exactly one of 64 clients that race for one code', async () => {
    const clients = await Promise.all(Array.from({ length: 64 }, () => openRedis(server.url)))
    for (let round = 0; round < 10; round++) {
      const full = freshFull()
      const answers = await Promise.all(clients.map(async (client) => (await new Registry(client, DAY).claim([full]))[0]))
      expect(answers.filter((answer) => answer === 'claimed')).toHaveLength(1)
      expect(answers.filter((answer) => answer === 'maybe')).toHaveLength(63)
    }
  })

  it('of a freed code whose quarantine is over is given to exactly one of 64 clients', async () => {
    const clients = await Promise.all(Array.from({ length: 64 }, () => openRedis(server.url)))
    const full = freshFull()
    await publishHeard(redis, { full, value: tombstone(1), freedAt: 1_000 })
    const answers = await Promise.all(clients.map(async (client) => (await new Registry(client, DAY).claim([full]))[0]))
    expect(answers.filter((answer) => answer === 'reclaimed')).toHaveLength(1)
  })

  it('of many codes at once is answered in their order, and one given twice in a batch is claimed once', async () => {
    const registry = new Registry(redis, DAY)
    const fulls = Array.from({ length: 200 }, freshFull)
    await registry.claim(fulls.filter((_, i) => i % 3 === 0))
    expect(await registry.claim(fulls)).toEqual(fulls.map((_, i) => (i % 3 === 0 ? 'maybe' : 'claimed')))
    const twice = freshFull()
    expect(await registry.claim([twice, twice])).toEqual(['claimed', 'maybe'])
    expect(await registry.claim([])).toEqual([])
  })
})

describe('a freed code', () => {
  const freed = async (registry: Registry, freedAt: number) => {
    const full = freshFull()
    await registry.claim([full])
    await publishHeard(redis, { full, value: tombstone(1), freedAt })
    return full
  }

  it('is refused until its quarantine is over and can then be claimed once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 400 * DAY }), fc.integer({ min: 1e12, max: 3e12 }), async (quarantine, at) => {
        const registry = new Registry(redis, quarantine)
        const full = await freed(registry, at)
        expect(await registry.claim([full], at)).toEqual(['quarantined'])
        expect(await registry.claim([full], at + quarantine - 1)).toEqual(['quarantined'])
        expect(await registry.claim([full], at + quarantine)).toEqual(['reclaimed'])
        expect(await registry.claim([full], at + quarantine)).toEqual(['maybe'])
      }),
      { numRuns: 50 },
    )
  })

  it('can be claimed at once where the quarantine is 0', async () => {
    const registry = new Registry(redis, 0)
    expect(await registry.claim([await freed(registry, 5_000)], 5_000)).toEqual(['reclaimed'])
  })

  it('can never be claimed where codes are never used again', async () => {
    const registry = new Registry(redis, Number.POSITIVE_INFINITY)
    expect(await registry.claim([await freed(registry, 0)], Number.MAX_SAFE_INTEGER)).toEqual(['quarantined'])
  })

  it('is no longer free once its link was restored', async () => {
    const registry = new Registry(redis, DAY)
    const full = await freed(registry, 1_000)
    await publishHeard(redis, { full, value: `${'2'.padStart(19, '0')}{}`, freedAt: null })
    expect(await registry.claim([full], 1_000 + 2 * DAY)).toEqual(['maybe'])
  })
})

describe('without trust', () => {
  const registry = new Registry(redis, DAY)
  beforeEach(() => freshFilter(redis))

  it.each([
    ['the marker is missing', (marker: string) => redis.client.del(marker)],
    ['the server has restarted since', (marker: string) => redis.client.hset(marker, 'server', 'the one before')],
    ['the marker was overwritten by something else', (marker: string) => redis.client.set(marker, 'not a hash')],
  ])('a claim is unknown, and nothing is written: %s', async (_, spoil) => {
    const full = freshFull()
    const keys = shardKeys(hashCode(full).shard)
    await spoil(keys.marker)
    const bits = await redis.client.bitcount(keys.bloom)
    expect(await registry.claim([full])).toEqual(['unknown'])
    expect(await redis.client.bitcount(keys.bloom)).toBe(bits)
  })

  it('other shards are not held up by one that is not trusted', async () => {
    const fulls = Array.from({ length: 100 }, freshFull)
    await redis.client.del(shardKeys(7).marker)
    const claims = await registry.claim(fulls)
    expect(claims).toEqual(fulls.map((full) => (hashCode(full).shard === 7 ? 'unknown' : 'claimed')))
  })

  it('and without Redis every claim is unknown, and none throws', async () => {
    const away = await testRedis()
    const cut = await openRedis(away.url)
    await away.stop()
    expect(await new Registry(cut, DAY).claim([freshFull(), freshFull()])).toEqual(['unknown', 'unknown'])
  })
})
