import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { freshFilter, SMALL_FILTER } from '@/lib/testing/filter'
import { openRedis, testRedis } from '@/lib/testing/redis'
import { readFilter } from './fill'
import { type FilterSettings, hasNativeBloom } from './rebuild'
import { Registry } from './registry'
import { SHARDS, shardKeys } from './shards'

const redis = await openRedis((await testRedis()).url)
const hasNative = await hasNativeBloom(redis)

const codes = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, i) => ({ full: `terse.test/${prefix}${i}`, freedAt: null }))

describe.each(['bitmap', 'native'] as const)('what is told of the %s filter', (implementation) => {
  const registry = new Registry(redis, 90_000)
  const settings: FilterSettings = { ...SMALL_FILTER, implementation }
  const runs = implementation === 'bitmap' || hasNative
  if (runs) beforeEach(() => freshFilter(redis, settings))
  if (runs) afterAll(() => redis.client.flushdb())

  it.runIf(runs)('is what it was made for, while it is empty', async () => {
    expect(await readFilter(redis, settings)).toEqual({
      implementation,
      shards: SHARDS,
      trustedShards: SHARDS,
      codes: 0,
      capacity: settings.capacity,
      fill: 0,
      estimatedError: 0,
      errorRate: settings.errorRate,
      freed: 0,
    })
  })

  it.runIf(runs).each([500, 5_000, 10_000, 20_000])('is within a twentieth of the %i codes that were added', async (count) => {
    await registry.add(codes('known', count), 'current')
    const state = await readFilter(redis, settings)
    expect(Math.abs(state.codes - count)).toBeLessThan(count / 20)
    expect(state.fill).toBeGreaterThan(0)
  })

  it.runIf(runs)(
    'says how often it is wrong: less than asked for when half full, and about as often as it turns out beyond',
    async () => {
      await registry.add(codes('known', settings.capacity / 2), 'current')
      expect((await readFilter(redis, settings)).estimatedError).toBeLessThan(settings.errorRate / 4)
      await registry.add(codes('more', settings.capacity), 'current')
      const { estimatedError } = await readFilter(redis, settings)
      if (implementation === 'native') {
        expect(estimatedError).toBe(settings.errorRate) // it grows by itself
        return
      }
      expect(estimatedError).toBeGreaterThan(settings.errorRate)
      const unknown = codes('unknown', 8_000)
      const answers = await Promise.all(unknown.map(({ full }) => registry.lookup(full)))
      const wrong = answers.filter(({ mayExist }) => mayExist).length / unknown.length
      expect(wrong).toBeGreaterThan(estimatedError * 0.8)
      expect(wrong).toBeLessThan(estimatedError * 1.2)
    },
  )
})

describe('what is told of the filter', () => {
  const registry = new Registry(redis, 90_000)
  beforeEach(() => freshFilter(redis))

  it('does not hang on reading all of it', async () => {
    await registry.add(codes('known', 5_000), 'current')
    const { codes: about } = await readFilter(redis, SMALL_FILTER, 256)
    expect(Math.abs(about - 5_000)).toBeLessThan(500)
  })

  it('of a full one is finite', async () => {
    for (let shard = 0; shard < SHARDS; shard++) {
      const { bloom } = shardKeys(shard)
      await redis.client.set(bloom, Buffer.alloc(await redis.client.strlen(bloom), 0xff))
    }
    const { codes: about, fill, estimatedError } = await readFilter(redis, SMALL_FILTER)
    expect(about).toBeGreaterThan(10_000)
    expect(Number.isFinite(about)).toBe(true)
    expect(fill).toBeGreaterThan(0.999)
    expect(estimatedError).toBeLessThanOrEqual(1)
  })

  it('names the shards that are not believed: a filter that is gone, and one of another run', async () => {
    await redis.client.del(shardKeys(3).bloom)
    await redis.client.hset(shardKeys(5).marker, 'server', 'another')
    expect(await readFilter(redis, SMALL_FILTER)).toMatchObject({ implementation: 'bitmap', trustedShards: SHARDS - 2 })
    await redis.client.flushall()
    expect(await readFilter(redis, SMALL_FILTER)).toMatchObject({ implementation: '', trustedShards: 0, codes: 0, capacity: 0 })
  })

  it('is of what it was made for, whatever the settings say now', async () => {
    const { capacity, errorRate } = await readFilter(redis, { capacity: 1_000_000, maxCapacity: 1_000_000, errorRate: 0.001 })
    expect(Math.abs(capacity - SMALL_FILTER.capacity)).toBeLessThan(SHARDS)
    expect(errorRate).toBe(SMALL_FILTER.errorRate)
  })

  it('counts freed codes', async () => {
    await registry.add(
      codes('gone', 40).map(({ full }) => ({ full, freedAt: 1_000 })),
      'current',
    )
    expect((await readFilter(redis, SMALL_FILTER)).freed).toBe(40)
  })
})
