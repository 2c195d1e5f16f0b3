import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { connectRedis, type RedisGateway } from '@/lib/redis/gateway'
import { freshFilter, publishHeard, reserveFilter, SMALL_FILTER, swapFilter, trustFilter } from '@/lib/testing/filter'
import { freshCode } from '@/lib/testing/links'
import { openRedis, testRedis } from '@/lib/testing/redis'
import { CHANGES_CHANNEL, Registry } from './registry'
import { hashCode, SHARDS, shardKeys } from './shards'

const server = await testRedis()
const redis = await openRedis(server.url)
const registry = new Registry(redis, 1_000)
const freshFull = () => `terse.test/${freshCode()}`
const value = (version: bigint | number, text = 'a') => `${String(version).padStart(19, '0')}{"u":"${text}"}`

beforeEach(() => freshFilter(redis, { ...SMALL_FILTER, capacity: 200_000 }))

/** The number of the last change of a code's shard, which a reader knows before it asks MySQL. */
const numberOf = async (full: string) => Number(await redis.client.get(shardKeys(hashCode(full).shard).changes))

/** What Redis holds of a code. */
async function held(full: string): Promise<{ record: string | null; freedAt: string | null }> {
  const keys = shardKeys(hashCode(full).shard)
  return { record: (await registry.lookup(full)).record, freedAt: await redis.client.zscore(keys.freed, full) }
}

describe('a published change', () => {
  it('is never overwritten by an earlier one, in whichever order they arrive', async () => {
    const change = fc.record({ version: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }), deleted: fc.boolean() })
    const changes = fc.uniqueArray(change, { minLength: 1, maxLength: 8, selector: ({ version }) => version })
    await fc.assert(
      fc.asyncProperty(changes, fc.boolean(), async (all, atOnce) => {
        const full = freshFull()
        const publish = ({ version, deleted }: (typeof all)[number]) =>
          publishHeard(redis, { full, value: value(version), freedAt: deleted ? 7_000 : null })
        if (atOnce) await Promise.all(all.map(publish))
        else for (const one of all) await publish(one)
        const last = all.reduce((a, b) => (a.version > b.version ? a : b))
        expect(await held(full)).toEqual({ record: value(last.version), freedAt: last.deleted ? '7000' : null })
      }),
      { numRuns: 100 },
    )
  })

  it('of the same version may come again, and changes nothing', async () => {
    const full = freshFull()
    for (let i = 0; i < 2; i++) await publishHeard(redis, { full, value: value(5), freedAt: 9_000 })
    expect(await held(full)).toEqual({ record: value(5), freedAt: '9000' })
  })

  it('is taken while the filter is not trusted: writers always win', async () => {
    const full = freshFull()
    await redis.client.flushall()
    await publishHeard(redis, { full, value: value(2), freedAt: null })
    expect(await registry.lookup(full)).toEqual({ trusted: false, record: value(2), mayExist: true })
  })

  it('is told to every process, even when a newer one stood there', async () => {
    const subscriber = connectRedis(server.url, { enableOfflineQueue: true })
    const heard: string[] = []
    subscriber.on('message', (_, text: string) => heard.push(text))
    await subscriber.subscribe(CHANGES_CHANNEL)
    const full = freshFull()
    await publishHeard(redis, { full, value: value(2), freedAt: null })
    await publishHeard(redis, { full, value: value(1), freedAt: null })
    await expect.poll(() => heard.length).toBe(2)
    const [first, second] = heard.map((text) => text.split(' '))
    expect(first?.slice(3)).toEqual([value(2).slice(0, 19), full])
    expect(second?.slice(3)).toEqual([value(1).slice(0, 19), full])
    expect(first?.[0]).toBe(String(hashCode(full).shard))
    // Each names the one before it, so that none is missed unnoticed.
    expect(second?.[1]).toBe(first?.[2])
    expect(Number(second?.[2])).toBeGreaterThan(Number(first?.[2]))
    subscriber.disconnect()
  })

  it('is kept for a day and a little, so that Redis forgets links nobody follows', async () => {
    const full = freshFull()
    await publishHeard(redis, { full, value: value(1), freedAt: null })
    const ttl = await redis.client.pttl(shardKeys(hashCode(full).shard).record(full))
    expect(ttl).toBeGreaterThan(23 * 3_600_000)
    expect(ttl).toBeLessThan(27 * 3_600_000)
  })

  it('that Redis does not take is an error, for the outbox must keep it', async () => {
    const away = await testRedis()
    const cut = await openRedis(away.url)
    await away.stop()
    await expect(new Registry(cut, 1_000).publish({ full: freshFull(), value: value(1), freedAt: null }, null)).rejects.toThrow()
  })
})

describe("a reader's copy", () => {
  it('never overwrites what a writer published, be it newer or older', async () => {
    for (const written of [1, 3]) {
      const full = freshFull()
      await publishHeard(redis, { full, value: value(written, 'writer'), freedAt: null })
      await registry.fill(full, value(2, 'reader'), await numberOf(full))
      expect((await held(full)).record).toBe(value(written, 'writer'))
    }
  })

  it('gives way to a writer who comes later with a newer version', async () => {
    const full = freshFull()
    await registry.fill(full, value(2, 'reader'), await numberOf(full))
    expect((await held(full)).record).toBe(value(2, 'reader'))
    await publishHeard(redis, { full, value: value(3, 'writer'), freedAt: null })
    expect((await held(full)).record).toBe(value(3, 'writer'))
  })

  it('loses against writers in every interleaving', async () => {
    for (let round = 0; round < 50; round++) {
      const full = freshFull()
      const number = await numberOf(full)
      await Promise.all([
        ...Array.from({ length: 4 }, () => registry.fill(full, value(1, 'reader'), number)),
        publishHeard(redis, { full, value: value(2, 'writer'), freedAt: null }),
        ...Array.from({ length: 4 }, () => registry.fill(full, value(1, 'reader'), number)),
      ])
      expect((await held(full)).record).toBe(value(2, 'writer'))
    }
  })

  it('is refused while the filter is not trusted, since a writer may just have been forgotten', async () => {
    const full = freshFull()
    await redis.client.flushall()
    await registry.fill(full, value(1), await numberOf(full))
    expect((await held(full)).record).toBeNull()
    await freshFilter(redis)
    await redis.client.hset(shardKeys(hashCode(full).shard).marker, 'server', 'the one before')
    await registry.fill(full, value(1), await numberOf(full))
    expect((await held(full)).record).toBeNull()
  })
})

describe('a reader who stood still between MySQL and Redis', () => {
  it.each([
    ['was published', false],
    ['was published, as the first of its shard', true],
  ])('does not put back what was there before a change that %s and forgotten in a flush', async (_, isFirst) => {
    const full = freshFull()
    if (!isFirst) await publishHeard(redis, { full: freshFull(), value: value(1), freedAt: null })
    const number = await numberOf(full)
    await publishHeard(redis, { full, value: value(2, 'banned'), freedAt: null })
    await freshFilter(redis)
    await registry.fill(full, value(1, 'active'), number)
    expect((await held(full)).record).toBeNull()
    // One that asks now may.
    await registry.fill(full, value(2, 'banned'), await numberOf(full))
    expect((await held(full)).record).toBe(value(2, 'banned'))
  })

  it('does not put back what was there before an old copy of Redis was restored and trusted again', async () => {
    const full = freshFull()
    const number = await numberOf(full)
    const { changes, record } = shardKeys(hashCode(full).shard)
    await publishHeard(redis, { full, value: value(2, 'banned'), freedAt: null })
    await redis.client.multi().del(record(full)).set(changes, number).exec() // as in the old copy
    await trustFilter(redis)
    await registry.fill(full, value(1, 'active'), number)
    expect((await held(full)).record).toBeNull()
  })
})

describe('a writer who stood still between MySQL and Redis', () => {
  it.each([
    ['a flush', () => freshFilter(redis)],
    ['an eviction', (full: string) => redis.client.del(shardKeys(hashCode(full).shard).record(full))],
  ])('does not put back what was there before a change that was published and forgotten in %s', async (_, forget) => {
    const full = freshFull()
    const number = await numberOf(full)
    await publishHeard(redis, { full, value: value(2, 'banned'), freedAt: null })
    await forget(full)
    for (const known of [number, null]) {
      await registry.publish({ full, value: value(1, 'active'), freedAt: null }, known)
      expect(await held(full)).toEqual({ record: null, freedAt: null })
    }
    // The code is known all the same, and who knew all there was may.
    expect(await registry.lookup(full)).toMatchObject({ trusted: true, mayExist: true })
    await registry.publish({ full, value: value(2, 'banned'), freedAt: null }, await numberOf(full))
    expect((await held(full)).record).toBe(value(2, 'banned'))
  })
})

/** The same Redis, with something that happens around each batch of codes that is added. */
function around(add: (send: () => Promise<unknown>, filter: string) => Promise<unknown>): RedisGateway {
  return new Proxy(redis, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown
      if (name !== 'bulk') return value
      return (...args: Parameters<typeof redis.bulk>) =>
        args[0].name === 'codes/add' ? add(() => target.bulk(...args), args[1][0] ?? '') : target.bulk(...args)
    },
  })
}

describe('new codes that are announced together', () => {
  const someFulls = () => Array.from({ length: 64 }, freshFull)
  const firstVersion = (full: string) => ({ full, version: 10n })

  it('leave what was published of them meanwhile, and forget what a former link left behind', async () => {
    const [former, banned] = [freshFull(), freshFull()]
    await publishHeard(redis, { full: former, value: value(9, 'former'), freedAt: null })
    await publishHeard(redis, { full: banned, value: value(11, 'banned'), freedAt: null })
    await registry.announceMany([former, banned].map(firstVersion))
    expect((await held(former)).record).toBeNull()
    expect((await held(banned)).record).toBe(value(11, 'banned'))
  })

  it('are an error, for the outbox must keep them, when the filter that is being made did not take all of them', async () => {
    await reserveFilter(redis)
    const fulls = someFulls()
    const stuck = shardKeys(hashCode(fulls[0] ?? '').shard).next
    const timeout = new Error('Redis did not answer in time')
    const gateway = around((send, filter) => (filter === stuck ? Promise.reject(timeout) : send()))
    await expect(new Registry(gateway, 1_000).announceMany(fulls.map(firstVersion))).rejects.toThrow(timeout)
    // Nor when another shard has none yet.
    for (let shard = 0; shard < SHARDS; shard++) {
      const { next, nextMarker } = shardKeys(shard)
      if (next !== stuck) await redis.client.del(next, nextMarker)
    }
    await expect(new Registry(gateway, 1_000).announceMany(fulls.map(firstVersion))).rejects.toThrow(timeout)
  })

  it('are in the filter that takes the place of the one before at that very moment', async () => {
    const coming = await reserveFilter(redis)
    const fulls = someFulls()
    let swapped: Promise<unknown> | undefined
    const first = new Map<string, Promise<unknown>>()
    const gateway = around(async (send, filter) => {
      // The filters change place when the first batch of every shard was added.
      const shard = filter.slice(0, filter.indexOf('}'))
      const isFirst = !first.has(shard)
      const sent = isFirst ? send() : undefined
      if (sent) first.set(shard, sent)
      else {
        swapped ??= Promise.all(first.values()).then(() => swapFilter(redis, coming))
        await swapped
      }
      return sent ?? send()
    })
    await new Registry(gateway, 1_000).announceMany(fulls.map(firstVersion))
    expect(swapped).toBeDefined()
    const answers = await Promise.all(fulls.map((full) => registry.lookup(full)))
    expect(answers.filter(({ mayExist }) => !mayExist)).toEqual([])
  })
})
