import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { freshFilter, publishHeard, reserveFilter, SMALL_FILTER, swapFilter } from '@/lib/testing/filter'
import { openRedis, testRedis } from '@/lib/testing/redis'
import { type FilterSettings, filterSize, hasNativeBloom } from './rebuild'
import { Registry } from './registry'
import { codeScripts } from './scripts'
import { hashCode, shardKeys } from './shards'

/**
 * The contract of the Bloom filter, through the scripts that use it. Its native implementation needs a server
 * with RedisBloom: `npm run test:engines -- redisbloom`.
 */
const redis = await openRedis((await testRedis()).url)
const hasNative = await hasNativeBloom(redis)
const SKIPPED = 'skipped: this server has no BF.* commands'

const named = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `terse.test/${prefix}${i}`)
const entriesOf = (fulls: string[]) => fulls.map((full) => ({ full, freedAt: null }))

describe.each(['bitmap', 'native'] as const)('the %s Bloom filter', (implementation) => {
  const registry = new Registry(redis, 90_000)
  const settings: FilterSettings = { ...SMALL_FILTER, implementation }
  const runs = implementation === 'bitmap' || hasNative
  const check = runs ? it : (name: string, _test: () => Promise<void>) => it.skip(`${name} (${SKIPPED})`)

  if (runs) beforeEach(() => freshFilter(redis, settings))
  if (runs) afterAll(() => redis.client.flushdb())

  /** How many of `fulls` the filter says may exist. */
  async function hits(fulls: string[]): Promise<number> {
    let count = 0
    for (let i = 0; i < fulls.length; i += 500) {
      const answers = await Promise.all(fulls.slice(i, i + 500).map((full) => registry.lookup(full)))
      expect(answers.every((answer) => answer.trusted)).toBe(true)
      count += answers.filter((answer) => answer.mayExist).length
    }
    return count
  }

  check('never denies one of 10,000 codes that were added, and errs for the others less than twice as often as set', async () => {
    expect(await hits(named('before', 1_000))).toBe(0)
    await registry.add(entriesOf(named('known', settings.capacity)), 'current')
    expect(await hits(named('known', settings.capacity))).toBe(settings.capacity)
    const others = 20_000
    expect(await hits(named('other', others))).toBeLessThan(2 * settings.errorRate * others)
  })

  check('is not changed by adding a code again', async () => {
    const others = named('other', 5_000)
    await registry.add(entriesOf(named('known', 5_000)), 'current')
    const before = await hits(others)
    for (let i = 0; i < 3; i++) await registry.add(entriesOf(named('known', 5_000)), 'current')
    expect(await hits(others)).toBe(before)
    expect(await hits(named('known', 5_000))).toBe(5_000)
  })

  check('learns a code from any process that claims or publishes it', async () => {
    const [claimed, published] = ['terse.test/claimed', 'terse.test/published']
    expect(await registry.claim([claimed])).toEqual(['claimed'])
    await publishHeard(redis, { full: published, value: `${'1'.padStart(19, '0')}{}`, freedAt: null })
    expect(await hits([claimed, published])).toBe(2)
  })

  check('whose next generation is being built adds to both, so that the swap forgets nothing', async () => {
    const early = named('early', 100)
    const [claimed, published] = ['terse.test/claimed', 'terse.test/published']
    const rebuild = await reserveFilter(redis, settings)
    await registry.add(entriesOf(early), 'next')
    expect(await hits(early)).toBe(0)
    await registry.claim([claimed])
    await publishHeard(redis, { full: published, value: `${'1'.padStart(19, '0')}{}`, freedAt: null })
    expect(await hits([claimed, published])).toBe(2)
    expect(await swapFilter(redis, rebuild)).not.toContain(0)
    expect(await hits([claimed, published, ...early])).toBe(102)
  })

  check('is put in place by its own rebuild only', async () => {
    await registry.add(entriesOf(['terse.test/here']), 'current')
    await reserveFilter(redis, settings)
    expect(await swapFilter(redis, 'another rebuild')).toEqual(new Array(16).fill(0))
    expect(await hits(['terse.test/here'])).toBe(1)
  })

  check('that is gone, with or without its marker, is believed by nobody until it was rebuilt', async () => {
    const full = 'terse.test/here'
    const keys = shardKeys(hashCode(full).shard)
    for (const lost of [[keys.marker], [keys.bloom, keys.marker], [keys.bloom]]) {
      await freshFilter(redis, settings)
      await registry.add(entriesOf([full]), 'current')
      await redis.client.del(...lost)
      expect(await registry.lookup(full), `lost ${lost}`).toMatchObject({ trusted: false, mayExist: true })
      expect(await registry.claim([full]), `lost ${lost}`).toEqual(['unknown'])
      await expect(registry.add(entriesOf([full]), 'current'), `lost ${lost}`).rejects.toThrow('gone')
      // A writer must not make a nearly empty filter that is then taken for the whole.
      await publishHeard(redis, { full: 'terse.test/x', value: `${'1'.padStart(19, '0')}{}`, freedAt: null })
      for (const text of named('more', 64))
        await publishHeard(redis, { full: text, value: `${'1'.padStart(19, '0')}{}`, freedAt: null })
      expect(await registry.lookup(full), `lost ${lost}`).toMatchObject({ trusted: false, mayExist: true })
      const [, verdict] = await redis.script(codeScripts.beat, beatKeys(full), [])
      expect(verdict, `lost ${lost}`).toBe('missing')
    }
  })

  check('whose key holds something else is believed by nobody', async () => {
    const full = 'terse.test/here'
    const { bloom } = shardKeys(hashCode(full).shard)
    const others: [string, () => Promise<unknown>][] = [
      ['a list', () => redis.client.rpush(bloom, 'not a filter')],
      ['a string', () => redis.client.set(bloom, 'not a filter')],
      ['a sorted set', () => redis.client.zadd(bloom, 1, full)],
    ]
    if (implementation === 'native') {
      others.push(
        ['a bitmap', () => redis.client.setbit(bloom, 100_000, 0)],
        ['another structure of the module', () => redis.client.call('TOPK.RESERVE', bloom, '10')],
      )
    }
    for (const [what, put] of others) {
      await freshFilter(redis, settings)
      await registry.add(entriesOf([full]), 'current')
      await redis.client.del(bloom)
      await put()
      const answer = await registry.lookup(full).catch(() => null)
      expect(answer?.trusted ?? false, what).toBe(false)
      expect(await registry.claim([full]), what).toEqual(['unknown'])
      const [, verdict] = await redis.script(codeScripts.beat, beatKeys(full), [])
      expect(verdict, what).toBe('missing')
    }
  })

  function beatKeys(full: string): string[] {
    const keys = shardKeys(hashCode(full).shard)
    return [keys.bloom, keys.marker]
  }
})

describe('the size of the filter', () => {
  it('follows from capacity and error rate, with a tenth to spare', () => {
    expect(filterSize({ capacity: 16_000_000, errorRate: 0.001 })).toEqual({ capacity: 1_100_000, bits: 15_815_347, hashes: 10 })
    expect(filterSize({ capacity: 1_000, errorRate: 0.1 }).hashes).toBe(3)
  })

  it('is refused above what a Redis string can hold, before the server is asked for it', () => {
    expect(() => filterSize({ capacity: 2_000_000_000, errorRate: 0.001 })).not.toThrow()
    expect(() => filterSize({ capacity: 20_000_000_000, errorRate: 0.001 })).toThrow('512 MB')
  })
})
