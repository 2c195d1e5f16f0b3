import { afterEach, describe, expect, it, vi } from 'vitest'
import { hashCode, shardKeys } from '@/lib/codes/shards'
import type { Link } from '@/lib/db/generated/client'
import { shiftableClock } from '@/lib/testing/clock'
import { within } from '@/lib/testing/eventually'
import { freshCode, HOST, linkRow } from '@/lib/testing/links'
import { testLookup } from '@/lib/testing/lookup'
import { outboxRow } from './outbox'
import { toRecord } from './record'

const { connection, toMysql, toRedis, redis, db, outbox, feeds, allRead, newLookup, storedLink, publish } = await testLookup()

describe('what memory holds is a second old at most, though nobody tells this process of the change, when', () => {
  afterEach(async () => {
    await toRedis.mend()
    await vi.waitFor(() => redis.use((client) => client.ping()), { timeout: 10_000 })
  })

  it.each<[string, (changed: Link) => Promise<unknown>]>([
    ['its message is dropped', publish],
    ['Redis loses its data meanwhile', () => redis.client.flushall()],
    ['Redis loses its data, and other changes follow', (changed) => redis.client.flushall().then(() => publish(changed))],
    ['the process is cut off from Redis', () => toRedis.cut()],
  ])('%s', async (_, happens) => {
    const clock = shiftableClock()
    const link = await storedLink()
    await publish(link)
    await allRead()
    const lookup = newLookup()
    await lookup.find(link.fullShortUrl)
    // Believed by now only because nothing is known to have changed.
    clock.forward(60_000)
    await allRead()
    expect(lookup.peek(link.fullShortUrl)).toBeDefined()
    const changed = { ...link, state: 'banned', version: link.version + 1n }
    await db.client.link.update({ where: { id: link.id }, data: { state: changed.state, version: changed.version } })
    await happens(changed)
    await within(1_000, async () => expect((await lookup.find(link.fullShortUrl)).entry.record).toEqual(toRecord(changed)))
  })
})

describe('an outbox that is not known', () => {
  it('because it cannot be read vouches for nothing: neither Redis nor memory is believed', async () => {
    const link = await storedLink()
    await publish(link)
    const [warm, cold] = [newLookup(), newLookup(0)]
    await warm.find(link.fullShortUrl)
    const banned = { ...link, state: 'banned', version: link.version + 1n }
    await db.client.link.update({ where: { id: link.id }, data: { state: 'banned', version: banned.version } })
    await connection.query('LOCK TABLES Outbox WRITE')
    try {
      await vi.waitFor(() => expect(outbox.isEmpty || warm.peek(link.fullShortUrl)).toBeFalsy(), { timeout: 10_000 })
      for (const lookup of [warm, cold]) {
        expect((await lookup.find(link.fullShortUrl)).entry.record).toEqual(toRecord(banned))
      }
    } finally {
      await connection.query('UNLOCK TABLES')
    }
  })

  it('because it is longer than what is read of it vouches for nothing either', async () => {
    const clock = shiftableClock()
    const link = await storedLink()
    await publish(link)
    const lookup = newLookup()
    await lookup.find(link.fullShortUrl)
    await db.client.link.update({ where: { id: link.id }, data: { state: 'banned' } })
    await db.client.outbox.createMany({
      data: Array.from({ length: 1_000 }, (_, i) => outboxRow(`elsewhere/${i}`)),
    })
    await db.client.outbox.create({ data: outboxRow(link.fullShortUrl) })
    await vi.waitFor(() => expect(outbox.size).toBe(1_000), { timeout: 10_000 })
    clock.forward(800)
    await vi.waitFor(() => expect(outbox.holds('any/one')).toBe(true), { timeout: 10_000 })
    expect((await lookup.find(link.fullShortUrl)).entry.record).toMatchObject({ state: 'banned' })
  })
})

describe('with MySQL away', () => {
  afterEach(async () => {
    await Promise.all([toMysql.mend(), toRedis.mend()])
    await vi.waitFor(() => db.read((client) => client.$queryRaw`SELECT 1`), { timeout: 10_000 })
    await vi.waitFor(() => redis.use((client) => client.ping()), { timeout: 10_000 })
  })

  it('what Redis holds is served, trusted or not', async () => {
    const link = linkRow()
    await publish(link)
    await toMysql.cut()
    expect(await newLookup().find(link.fullShortUrl)).toMatchObject({ tier: 'redis', entry: { record: toRecord(link) } })
    await redis.client.del(shardKeys(hashCode(link.fullShortUrl).shard).marker)
    expect(await newLookup().find(link.fullShortUrl)).toMatchObject({ tier: 'redis', entry: { record: toRecord(link) } })
  })

  it('and Redis too, an expired entry is served for up to an hour; with MySQL back, the present one', async () => {
    const clock = shiftableClock()
    const link = await storedLink()
    const lookup = newLookup()
    await lookup.find(link.fullShortUrl)
    const later = { ...link, url: 'https://example.com/later' }
    await db.client.link.update({ where: { id: link.id }, data: { url: later.url } })
    await Promise.all([toMysql.cut(), toRedis.cut()])
    clock.forward(601_000)
    expect(await lookup.find(link.fullShortUrl)).toMatchObject({ tier: 'stale', entry: { record: toRecord(link) } })
    await toMysql.mend()
    await vi.waitFor(
      async () =>
        expect(await lookup.find(link.fullShortUrl)).toMatchObject({ tier: 'mysql', entry: { record: toRecord(later) } }),
      { timeout: 10_000 },
    )
    await toMysql.cut()
    clock.forward(3_600_001)
    await expect(lookup.find(link.fullShortUrl)).rejects.toMatchObject({ code: 'unavailable', retryAfter: 2 })
  })

  it('what is doubtful since changes may have been missed is served when nobody answers, and what was deleted is not', async () => {
    const [link, gone] = [await storedLink(), await storedLink()]
    const lookup = newLookup()
    for (const { fullShortUrl } of [link, gone]) await lookup.find(fullShortUrl)
    lookup.invalidate(gone.fullShortUrl)
    // Redis was restarted without its data.
    await redis.client.flushall()
    feeds.doubtAll()
    await toMysql.cut()
    expect(await lookup.find(link.fullShortUrl)).toMatchObject({ tier: 'stale', entry: { record: toRecord(link) } })
    await expect(lookup.find(gone.fullShortUrl)).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('a link that memory knows to be banned is not served from an older copy of Redis', async () => {
    const clock = shiftableClock()
    const link = await storedLink({ state: 'banned' })
    const lookup = newLookup()
    await lookup.find(link.fullShortUrl)
    // Redis was restored from before the ban, and is not trusted.
    await redis.client.flushall()
    await publish({ ...link, state: 'active', version: link.version - 1n })
    await toMysql.cut()
    clock.forward(60_000)
    expect((await lookup.find(link.fullShortUrl)).entry.record).toEqual(toRecord(link))
  })

  it('a link known to be changed or deleted is never served from before', async () => {
    const link = await storedLink()
    const lookup = newLookup()
    await lookup.find(link.fullShortUrl)
    await Promise.all([toMysql.cut(), toRedis.cut()])
    lookup.invalidate(link.fullShortUrl)
    await expect(lookup.find(link.fullShortUrl)).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('a code that nobody knows is not denied', async () => {
    await Promise.all([toMysql.cut(), toRedis.cut()])
    await expect(newLookup().find(`${HOST}/${freshCode()}`)).rejects.toMatchObject({ code: 'unavailable' })
  })
})
