import { describe, expect, it, vi } from 'vitest'
import { RedisGateway } from '@/lib/redis/gateway'
import { atEnd } from '@/lib/testing/cleanup'
import { within } from '@/lib/testing/eventually'
import { freshCode } from '@/lib/testing/links'
import { closedPort } from '@/lib/testing/proxy'
import { openRedis, testRedis } from '@/lib/testing/redis'
import { Limits, type Policy } from './limits'

const server = await testRedis()
const redis = await openRedis(server.url)

/** How many of `attempts` are let through. */
async function passed(limits: Limits, policy: Policy, key: string, attempts: number): Promise<number> {
  let count = 0
  for (let i = 0; i < attempts; i++) {
    await limits.take(policy, key).then(
      () => {
        count += 1
      },
      () => {},
    )
  }
  return count
}

describe('a rate limit', () => {
  it.each([
    ['create', 60, 60],
    ['api', 300, 60],
    ['unlock', 10, 300],
    ['report', 10, 3600],
  ] as const)('of %s lets %i through and says when to come back', async (policy, points, seconds) => {
    const limits = new Limits(redis, true)
    const key = freshCode()
    expect(await passed(limits, policy, key, points)).toBe(points)
    const error = await limits.take(policy, key).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'rate_limited', status: 429 })
    const { retryAfter } = error as { retryAfter: number }
    expect(retryAfter).toBeGreaterThan(0)
    expect(retryAfter).toBeLessThanOrEqual(seconds)
  })

  it('is shared by all processes', async () => {
    const other = await openRedis(server.url)
    const [one, two] = [new Limits(redis, true), new Limits(other, true)]
    const key = freshCode()
    expect((await passed(one, 'unlock', key, 6)) + (await passed(two, 'unlock', key, 6))).toBe(10)
  })

  it('is exact for many requests at once', async () => {
    const limits = new Limits(redis, true)
    const key = freshCode()
    const results = await Promise.allSettled(Array.from({ length: 100 }, () => limits.take('unlock', key)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
  })

  it('of one client or policy does not touch another', async () => {
    const limits = new Limits(redis, true)
    const [key, other] = [freshCode(), freshCode()]
    await passed(limits, 'unlock', key, 11)
    await expect(limits.take('unlock', other)).resolves.toBeUndefined()
    await expect(limits.take('create', key)).resolves.toBeUndefined()
  })

  it('can be asked for without being counted', async () => {
    const other = await openRedis(server.url)
    const [one, two] = [new Limits(redis, true), new Limits(other, true)]
    const key = freshCode()
    for (let i = 0; i < 30; i++) await two.check('unlock', key)
    await passed(one, 'unlock', key, 9)
    await two.check('unlock', key)
    await one.take('unlock', key)
    await expect(two.check('unlock', key)).rejects.toMatchObject({ code: 'rate_limited', status: 429 })
    await expect(new Limits(redis, false).check('unlock', key)).resolves.toBeUndefined()
  })

  it('can be reserved and given back, by which it is as if it had never been asked for', async () => {
    const limits = new Limits(redis, true)
    const key = freshCode()
    for (let i = 0; i < 30; i++) await (await limits.reserve('unlock', key))()
    expect(await limits.counted('unlock', key)).toBe(0)
    const all = await Promise.all(Array.from({ length: 10 }, () => limits.reserve('unlock', key)))
    await expect(limits.reserve('unlock', key)).rejects.toMatchObject({ code: 'rate_limited' })
    await Promise.all(all.map((giveBack) => giveBack()))
    expect(await passed(limits, 'unlock', key, 5)).toBe(5)
  })

  it('can be noted without an end', async () => {
    const limits = new Limits(redis, true)
    const key = freshCode()
    for (let i = 0; i < 30; i++) await limits.note('unlockLink', key)
    expect(await limits.counted('unlockLink', key)).toBe(30)
  })

  it('that is switched off lets everything through', async () => {
    expect(await passed(new Limits(redis, false), 'unlock', freshCode(), 30)).toBe(30)
  })
})

describe('while Redis is away', () => {
  it('each process counts by itself', async () => {
    const away = new RedisGateway(await closedPort(server.url))
    atEnd(() => away.close())
    const [one, two] = [new Limits(away, true), new Limits(away, true)]
    const key = freshCode()
    expect(await passed(one, 'unlock', key, 15)).toBe(10)
    expect(await passed(two, 'unlock', key, 15)).toBe(10)
    await expect(one.check('unlock', key)).rejects.toMatchObject({ code: 'rate_limited' })
  })

  it('or hangs, nobody waits for it: requests are counted all the same', async () => {
    const hanging = await testRedis()
    const gateway = new RedisGateway(hanging.url)
    atEnd(() => gateway.close())
    expect(await gateway.connected(10_000)).toBe(true)
    const limits = new Limits(gateway, true)
    const key = freshCode()
    await limits.take('unlock', key)
    await hanging.kill('SIGSTOP')
    try {
      const settled = vi.fn()
      limits.take('unlock', key).then(settled, settled)
      await within(3_000, () => expect(settled).toHaveBeenCalled())
      expect(await passed(limits, 'unlock', key, 15)).toBeLessThanOrEqual(10)
    } finally {
      await hanging.kill('SIGCONT')
    }
  })
})
