import { describe, expect, it, vi } from 'vitest'
import { CHANGES_CHANNEL } from '@/lib/codes/registry'
import { hashCode, shardKeys } from '@/lib/codes/shards'
import { RedisGateway } from '@/lib/redis/gateway'
import { Subscriber } from '@/lib/redis/subscriber'
import { atEnd } from '@/lib/testing/cleanup'
import { shiftableClock } from '@/lib/testing/clock'
import { publishHeard } from '@/lib/testing/filter'
import { freshCode, HOST } from '@/lib/testing/links'
import { proxyTo } from '@/lib/testing/proxy'
import { openRedis, testRedis } from '@/lib/testing/redis'
import { Feeds } from './feeds'
import { Nearby } from './nearby'
import { nearbyScripts } from './scripts'

const [centre, near] = await Promise.all([testRedis(), testRedis()])
const redis = await openRedis(centre.url)
const beside = await openRedis(near.url)
const PATIENCE = { timeout: 10_000, interval: 10 }

let version = 1
const value = (text: string) => `${String(version++).padStart(19, '0')}{"u":"${text}"}`
const publish = (full: string, text: string) => publishHeard(redis, { full, value: value(text), freedAt: null })
const freshFull = () => `${HOST}/${freshCode()}`

/** What an edge process has of it; `hears` is its way to the centre. */
async function edge(nearUrl = near.url): Promise<{ nearby: Nearby; feeds: Feeds; close(): void }> {
  const feeds = new Feeds(redis)
  const gateway = new RedisGateway(nearUrl)
  const nearby = new Nearby(gateway, feeds)
  const subscriber = new Subscriber(centre.url, CHANGES_CHANNEL, (text) => feeds.receive(text))
  const close = () => {
    feeds.close()
    subscriber.close()
    gateway.close()
  }
  atEnd(close)
  expect(await gateway.connected(10_000)).toBe(true)
  await feeds.start()
  return { nearby, feeds, close }
}

/** Another full short URL of the same shard. */
function besideOf(full: string): string {
  for (;;) {
    const other = freshFull()
    if (hashCode(other).shard === hashCode(full).shard) return other
  }
}

/** What that Redis stands at. */
const stateOf = (full: string) => beside.client.hgetall(shardKeys(hashCode(full).shard).nearby)

/** Keeps a copy of `full`, and waits until it is believed. */
async function keepCopy({ nearby, feeds }: Awaited<ReturnType<typeof edge>>, full: string, text = value('copy')) {
  await vi.waitFor(async () => {
    nearby.keep(full, text, feeds.of(full).number)
    expect(await nearby.find(full)).toEqual({ value: text, current: true })
  }, PATIENCE)
}

describe('a copy in a nearby Redis', () => {
  it('is believed until its link changes, and by every process that heard as much', async () => {
    const [one, other] = [await edge(), await edge()]
    const [full, unrelated] = [freshFull(), freshFull()]
    for (const each of [full, unrelated]) await keepCopy(one, each)
    expect(await other.nearby.find(full)).toMatchObject({ current: true })
    await publish(full, 'changed')
    await vi.waitFor(async () => {
      for (const { nearby } of [one, other]) expect(await nearby.find(full)).toBeNull()
    }, PATIENCE)
    for (const { nearby } of [one, other]) {
      await vi.waitFor(async () => expect(await nearby.find(unrelated)).toMatchObject({ current: true }), PATIENCE)
    }
  })

  it('of a link that did not change is believed on while one process hears of a change later than another', async () => {
    const clock = shiftableClock()
    const [one, late] = [await edge(), await edge()]
    const unrelated = freshFull()
    const full = besideOf(unrelated)
    await keepCopy(one, unrelated)
    const { epoch } = await stateOf(full)
    // Nothing has happened for a while.
    clock.forward(2_000)
    await vi.waitFor(async () => expect(await late.nearby.find(unrelated)).toMatchObject({ current: true }), PATIENCE)
    const onTheirWay: string[] = []
    const receive = vi.spyOn(late.feeds, 'receive').mockImplementation((text) => void onTheirWay.push(text))
    const { number } = one.feeds.of(full)
    await publish(full, 'changed')
    await vi.waitFor(async () => expect(Number((await stateOf(full)).number)).toBeGreaterThan(number), PATIENCE)
    for (let i = 0; i < 5; i++) await late.nearby.find(unrelated)
    await vi.waitFor(() => expect(onTheirWay).not.toEqual([]), PATIENCE)
    receive.mockRestore()
    for (const text of onTheirWay) late.feeds.receive(text)
    for (const { nearby } of [one, late]) {
      await vi.waitFor(async () => expect(await nearby.find(unrelated)).toMatchObject({ current: true }), PATIENCE)
      expect(await nearby.find(full)).toBeNull()
    }
    expect((await stateOf(full)).epoch).toBe(epoch)
  })

  it('is not kept when a change came since it was read', async () => {
    const { nearby, feeds } = await edge()
    const full = freshFull()
    await publish(full, 'first')
    await vi.waitFor(() => expect(feeds.of(full).number).toBeGreaterThan(1), PATIENCE)
    const before = feeds.of(full).number
    await publish(full, 'second')
    await vi.waitFor(() => expect(feeds.of(full).number).toBeGreaterThan(before), PATIENCE)
    nearby.keep(full, value('first'), before)
    expect(await nearby.find(full)).toBeNull()
  })

  it('is not believed any more when no process was there to pass on a change', async () => {
    const first = await edge()
    const full = freshFull()
    await keepCopy(first, full)
    first.close()
    await publish(full, 'changed while nobody listened')
    const { nearby, feeds } = await edge()
    expect((await nearby.find(full))?.current).toBe(false)
    // The Redis takes up with the changes of now: old copies stay doubtful, new ones are believed.
    const other = `${full}-other`
    await vi.waitFor(async () => {
      await nearby.find(full)
      expect(await beside.client.hget(shardKeys(hashCode(full).shard).nearby, 'number')).toBe(String(feeds.of(full).number))
    }, PATIENCE)
    expect((await nearby.find(full))?.current).toBe(false)
    expect(await nearby.find(other)).toBeNull()
  })

  it('is believed by a process that starts when nothing changed meanwhile', async () => {
    const first = await edge()
    const full = freshFull()
    await keepCopy(first, full)
    first.close()
    const { nearby } = await edge()
    expect(await nearby.find(full)).toMatchObject({ current: true })
  })

  it('is not believed when that Redis was away while its link changed', async () => {
    const proxy = await proxyTo(near.url)
    const one = await edge(proxy.url)
    const full = freshFull()
    await keepCopy(one, full)
    await proxy.cut()
    await publish(full, 'changed')
    const { number } = one.feeds.of(full)
    await vi.waitFor(() => expect(one.feeds.of(full).number).toBeGreaterThan(number), PATIENCE)
    await proxy.mend()
    const copy = await vi.waitFor(async () => {
      const found = await one.nearby.find(full)
      if (!found) throw new Error('not back yet')
      return found
    }, PATIENCE)
    expect(copy.current).toBe(false)
    await vi.waitFor(async () => {
      const found = await one.nearby.find(full)
      expect(found?.current).toBe(false)
      expect(await beside.client.hget(shardKeys(hashCode(full).shard).nearby, 'number')).toBe(String(one.feeds.of(full).number))
    }, PATIENCE)
    expect((await one.nearby.find(full))?.current).toBe(false)
  })

  it('is not believed once the centre lost its data', async () => {
    const one = await edge()
    const full = freshFull()
    await publish(full, 'first')
    await keepCopy(one, full)
    await redis.client.flushall()
    await vi.waitFor(async () => expect((await one.nearby.find(full))?.current).toBe(false), PATIENCE)
    // The numbers have gone back, and that Redis with them: what is read from now on is believed, what was there is not.
    await keepCopy(one, besideOf(full))
    expect((await one.nearby.find(full))?.current).toBe(false)
  })

  it('is not of a state that was followed back over a change that was passed on meanwhile', async () => {
    const { nearby } = shardKeys(hashCode(freshFull()).shard)
    await beside.client.hset(nearby, 'number', 7, 'epoch', 1)
    expect(await beside.script(nearbyScripts.follow, [nearby], [6, '5'])).toBe(0)
    expect(await beside.client.hgetall(nearby)).toEqual({ number: '7', epoch: '1' })
    expect(await beside.script(nearbyScripts.follow, [nearby], [6, '7'])).toBe(1)
    expect(await beside.client.hget(nearby, 'number')).toBe('6')
    await beside.client.del(nearby)
  })
})
