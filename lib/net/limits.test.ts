import { describe, expect, it, vi } from 'vitest'
import { RedisGateway } from '@/lib/redis/gateway'
import { atEnd } from '@/lib/testing/cleanup'
import { within } from '@/lib/testing/eventually'
import { freshCode } from '@/lib/testing/links'
import { closedPort } from '@/lib/testing/proxy'
import { openRedis, testRedis } from '@/lib/testing/redis'
import { type EachPolicy, Limits } from './limits'

const server = await testRedis()
const redis = await openRedis(server.url)
const LINKS_PER_MINUTE = 7
const limitsOn = (gateway: RedisGateway, enabled = true) => new Limits(gateway, enabled, LINKS_PER_MINUTE)

/** How many of `attempts` are let through. */
async function passed(limits: Limits, policy: EachPolicy, key: string, attempts: number): Promise<number> {
  let count = 0
  for (let i = 0; i < attempts; i++) {
    await limits.consume(policy, key).then(
      () => {
        count += 1
      },
      () => {},
    )
  }
  return count
}

describe('a rate limit', () => {
  it('lets no more through than there may be, however requests for many at a time meet', async () => {
    for (const behind of [0, 1, 2, 3]) {
      const [key, most] = [freshCode(), 200_000]
      await limitsOn(redis).consumeUpTo('numbers', key, most - 15_000)
      let drawn = most - 15_000
      const take = async (roundTrips: number) => {
        for (let i = 0; i < roundTrips; i++) await redis.use((client) => client.ping())
        await limitsOn(redis).consumeAll('numbers', key, 10_000)
        drawn += 10_000
      }
      await Promise.allSettled([take(0), take(behind)])
      expect({ behind, drawn }).toEqual({ behind, drawn: most - 5_000 })
    }
  })

  it.each([
    ['create', 60, 60],
    ['api', 300, 60],
    ['upload', 10, 60],
    ['links', LINKS_PER_MINUTE, 60],
    ['report', 10, 3600],
  ] as const)('of %s lets %i through and says when to come back', async (policy, points, seconds) => {
    const limits = limitsOn(redis)
    const key = freshCode()
    expect(await passed(limits, policy, key, points)).toBe(points)
    const error = await limits.consume(policy, key).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'rate_limited', status: 429 })
    const { retryAfter } = error as { retryAfter: number }
    expect(retryAfter).toBeGreaterThan(0)
    expect(retryAfter).toBeLessThanOrEqual(seconds)
  })

  it('is shared by all processes', async () => {
    const other = await openRedis(server.url)
    const [one, two] = [limitsOn(redis), limitsOn(other)]
    const key = freshCode()
    expect((await passed(one, 'report', key, 6)) + (await passed(two, 'report', key, 6))).toBe(10)
  })

  it('is exact for many requests at once', async () => {
    const limits = limitsOn(redis)
    const key = freshCode()
    const results = await Promise.allSettled(Array.from({ length: 100 }, () => limits.consume('report', key)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
  })

  it('of one client or policy does not touch another', async () => {
    const limits = limitsOn(redis)
    const [key, other] = [freshCode(), freshCode()]
    await passed(limits, 'report', key, 11)
    await expect(limits.consume('report', other)).resolves.toBeUndefined()
    await expect(limits.consume('create', key)).resolves.toBeUndefined()
  })

  it('can be asked for without being counted', async () => {
    const other = await openRedis(server.url)
    const [one, two] = [limitsOn(redis), limitsOn(other)]
    const key = freshCode()
    for (let i = 0; i < 30; i++) await two.check('report', key)
    await passed(one, 'report', key, 9)
    await two.check('report', key)
    await one.consume('report', key)
    await expect(two.check('report', key)).rejects.toMatchObject({ code: 'rate_limited', status: 429 })
    await expect(limitsOn(redis, false).check('report', key)).resolves.toBeUndefined()
  })

  it('can be reserved and given back, by which it is as if it had never been asked for', async () => {
    const limits = limitsOn(redis)
    const key = freshCode()
    for (let i = 0; i < 30; i++) await (await limits.reserve('unlock', key))()
    expect(await limits.counted('unlock', key)).toBe(0)
    const all = await Promise.all(Array.from({ length: 10 }, () => limits.reserve('unlock', key)))
    await expect(limits.reserve('unlock', key)).rejects.toMatchObject({ code: 'rate_limited' })
    await Promise.all(all.map((giveBack) => giveBack()))
    for (let i = 0; i < 5; i++) await expect(limits.reserve('unlock', key)).resolves.toBeTypeOf('function')
  })

  it('can be noted without an end', async () => {
    const limits = limitsOn(redis)
    const key = freshCode()
    for (let i = 0; i < 30; i++) await limits.note('unlockLink', key)
    expect(await limits.counted('unlockLink', key)).toBe(30)
  })

  it('is counted as its policy says, and by no other way: that does not compile', async () => {
    const limits = limitsOn(redis, false)
    // @ts-expect-error: from memory, where nothing comes back, it would refuse what was given back since
    await limits.consume('unlock', 'x')
    // @ts-expect-error: what is given back would not open it again
    await limits.reserve('report', 'x')
    // @ts-expect-error: it would never be refused
    await limits.note('unlock', 'x')
    await limits.note('unlockLink', 'x')
  })

  it('that is switched off lets everything through', async () => {
    expect(await passed(limitsOn(redis, false), 'report', freshCode(), 30)).toBe(30)
  })
})

describe('while Redis is away', () => {
  it('each process counts by itself', async () => {
    const away = new RedisGateway(await closedPort(server.url))
    atEnd(() => away.close())
    const [one, two] = [limitsOn(away), limitsOn(away)]
    const key = freshCode()
    expect(await passed(one, 'report', key, 15)).toBe(10)
    expect(await passed(two, 'report', key, 15)).toBe(10)
    await expect(one.check('report', key)).rejects.toMatchObject({ code: 'rate_limited' })
  })

  it('or hangs, nobody waits for it: requests are counted all the same', async () => {
    const hanging = await testRedis()
    const gateway = new RedisGateway(hanging.url)
    atEnd(() => gateway.close())
    expect(await gateway.connected(10_000)).toBe(true)
    const limits = limitsOn(gateway)
    const key = freshCode()
    await limits.consume('report', key)
    await hanging.kill('SIGSTOP')
    try {
      const settled = vi.fn()
      limits.consume('report', key).then(settled, settled)
      await within(3_000, () => expect(settled).toHaveBeenCalled())
      expect(await passed(limits, 'report', key, 15)).toBeLessThanOrEqual(10)
    } finally {
      await hanging.kill('SIGCONT')
    }
  })
})
