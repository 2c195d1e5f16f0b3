import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Registry } from '@/lib/codes/registry'
import { hashCode, SHARDS, shardKeys } from '@/lib/codes/shards'
import { DatabaseGateway } from '@/lib/db/gateway'
import type { Link } from '@/lib/db/generated/client'
import { insertLinks } from '@/lib/links/insert'
import { shiftableClock } from '@/lib/testing/clock'
import { testDatabase } from '@/lib/testing/database'
import { within } from '@/lib/testing/eventually'
import { freshFilter, publishHeard } from '@/lib/testing/filter'
import { deletedRow, freshCode, HOST, linkRow, SILENT } from '@/lib/testing/links'
import { proxyTo } from '@/lib/testing/proxy'
import { openRedis, testRedis } from '@/lib/testing/redis'
import { Feeds } from './feeds'
import { Lookup } from './lookup'
import { Outbox, outboxRow } from './outbox'
import { encodeRecord, toRecord, toTombstone } from './record'

const server = await testRedis()
const { url, connection } = await testDatabase()
const [toMysql, toRedis] = await Promise.all([proxyTo(url), proxyTo(server.url)])
const redis = await openRedis(toRedis.url)
const registry = new Registry(redis, 1_000)
const db = new DatabaseGateway(toMysql.url, 4)
const outbox = new Outbox(db, SILENT, () => {})
const feeds = new Feeds(redis)
await Promise.all([outbox.start(), feeds.start()])
afterAll(async () => {
  feeds.close()
  outbox.close()
  await db.close()
})

/** As long as addresses are, so that few links of them fit in little memory. */
const DESTINATION = `https://example.com/${'a'.repeat(400)}/`

const newLookup = (memory = 1024 * 1024) => new Lookup({ db, registry, outbox, feeds, memory })
/** A full short URL of every shard. */
const ofEachShard = Array.from({ length: SHARDS }, (_, shard) => {
  for (;;) {
    const full = `${HOST}/${freshCode()}`
    if (hashCode(full).shard === shard) return full
  }
})

/** Until nothing is known that Redis has not heard, nor that this process has not. */
const allRead = () =>
  vi.waitFor(
    async () => {
      const numbers = await Promise.all(ofEachShard.map((_, shard) => redis.client.get(shardKeys(shard).changes)))
      const heard = ofEachShard.map((full) => feeds.of(full).number)
      expect(heard).toEqual(numbers.map((number) => Number(number ?? 1)))
      const unconfirmed = performance.now() - feeds.of(HOST).confirmedAt
      expect(outbox.isEmpty && unconfirmed >= 0 && unconfirmed < 500).toBe(true)
    },
    { timeout: 10_000, interval: 10 },
  )

beforeEach(async () => {
  await db.client.outbox.deleteMany()
  await freshFilter(redis)
  await allRead()
})

/** A link in MySQL that the filter knows, as after a rebuild. */
async function storedLink(given: Partial<Link> = {}): Promise<Link> {
  const link = linkRow(given)
  await insertLinks(db.client, [link])
  await registry.add([{ full: link.fullShortUrl, freedAt: null }], 'current')
  return link
}

const publish = (link: Link) =>
  publishHeard(redis, { full: link.fullShortUrl, value: encodeRecord(toRecord(link)), freedAt: null })
const heldInRedis = async (full: string) => (await registry.lookup(full)).record

describe('the tiers of a lookup', () => {
  it('are memory, then Redis, then MySQL, and each fills those before it', async () => {
    const link = await storedLink()
    const lookup = newLookup()
    expect(await lookup.find(link.fullShortUrl)).toMatchObject({ tier: 'mysql', entry: { record: toRecord(link) } })
    expect(await lookup.find(link.fullShortUrl)).toMatchObject({ tier: 'memory', entry: { record: toRecord(link) } })
    await expect.poll(() => heldInRedis(link.fullShortUrl)).toBe(encodeRecord(toRecord(link)))
    expect(await newLookup().find(link.fullShortUrl)).toMatchObject({ tier: 'redis', entry: { record: toRecord(link) } })
  })

  it('find a tombstone too', async () => {
    const row = deletedRow(linkRow())
    await db.client.deletedLink.create({ data: row })
    await registry.add([{ full: row.fullShortUrl, freedAt: row.deletedAt.getTime() }], 'current')
    expect(await newLookup().find(row.fullShortUrl)).toMatchObject({ tier: 'mysql', entry: { record: toTombstone(row) } })
  })

  it('without memory are Redis and MySQL', async () => {
    const link = await storedLink()
    await publish(link)
    const lookup = newLookup(0)
    for (let i = 0; i < 2; i++) expect(await lookup.find(link.fullShortUrl)).toMatchObject({ tier: 'redis' })
    expect(lookup.held).toEqual({ links: 0, bytes: 0, limit: 0 })
  })

  it('never hold more in memory than allowed, and unknown codes push no link out', async () => {
    const lookup = newLookup(16_384)
    const links = await Promise.all(Array.from({ length: 40 }, (_, i) => storedLink({ url: `${DESTINATION}${i}` })))
    for (const link of links) await lookup.find(link.fullShortUrl)
    const kept = lookup.held
    expect(kept.bytes).toBeLessThanOrEqual(kept.limit)
    expect(kept.links).toBeGreaterThan(20)
    expect(kept.links).toBeLessThan(40)
    for (let i = 0; i < 30; i++) await lookup.find(`${HOST}/${freshCode()}`)
    expect(lookup.held).toEqual(kept)
    for (const { fullShortUrl } of links.slice(-kept.links)) expect(lookup.peek(fullShortUrl)).toBeDefined()
  })

  it('share one flight between all who ask for the same code at once', async () => {
    const link = await storedLink()
    const lookup = newLookup()
    const all = await Promise.all(Array.from({ length: 50 }, () => lookup.find(link.fullShortUrl)))
    expect(new Set(all.map(({ entry }) => entry)).size).toBe(1)
  })

  it('go on to MySQL when Redis holds what this release cannot read', async () => {
    const link = await storedLink()
    await redis.client.set(shardKeys(hashCode(link.fullShortUrl).shard).record(link.fullShortUrl), 'something else')
    expect(await newLookup().find(link.fullShortUrl)).toMatchObject({ tier: 'mysql', entry: { record: toRecord(link) } })
  })
})

describe('an unknown code', () => {
  const unknown = () => `${HOST}/${freshCode()}`

  it('is denied by the filter, and MySQL is not asked', async () => {
    expect(await newLookup().find(unknown())).toMatchObject({ tier: 'filter', entry: { record: null } })
  })

  it('is asked of MySQL while the filter is not trusted, and a link is never denied', async () => {
    const link = linkRow()
    await insertLinks(db.client, [link]) // the filter does not know it
    await redis.client.flushall()
    expect(await newLookup().find(link.fullShortUrl)).toMatchObject({ tier: 'mysql', entry: { record: toRecord(link) } })
    expect(await newLookup().find(unknown())).toMatchObject({ tier: 'mysql', entry: { record: null } })
    expect(await heldInRedis(link.fullShortUrl)).toBeNull()
  })

  it('is asked of MySQL while Redis has not heard of some change', async () => {
    const link = linkRow()
    await insertLinks(db.client, [link])
    await db.client.outbox.create({ data: outboxRow('elsewhere/x') })
    await vi.waitFor(() => expect(outbox.size).toBe(1), { timeout: 10_000 })
    expect(await newLookup().find(link.fullShortUrl)).toMatchObject({ tier: 'mysql', entry: { record: toRecord(link) } })
  })

  it('whose record is out of date in Redis is asked of MySQL while it is in the outbox', async () => {
    const link = await storedLink({ url: 'https://example.com/new' })
    await publish({ ...link, url: 'https://example.com/old', version: link.version - 1n })
    expect(await newLookup().find(link.fullShortUrl)).toMatchObject({ tier: 'redis' })
    await db.client.outbox.create({ data: outboxRow(link.fullShortUrl) })
    await vi.waitFor(() => expect(outbox.holds(link.fullShortUrl)).toBe(true), { timeout: 10_000 })
    expect(await newLookup().find(link.fullShortUrl)).toMatchObject({ tier: 'mysql', entry: { record: toRecord(link) } })
  })
})

describe('memory', () => {
  it('keeps a link for an hour from when it was filled, and hits do not make that longer', async () => {
    const clock = shiftableClock()
    const link = await storedLink()
    const lookup = newLookup()
    await lookup.find(link.fullShortUrl)
    for (let i = 0; i < 3; i++) {
      clock.forward(1_190_000)
      await allRead()
      expect(await lookup.find(link.fullShortUrl)).toMatchObject({ tier: 'memory' })
    }
    clock.forward(60_000)
    await allRead()
    expect(lookup.peek(link.fullShortUrl)).toBeUndefined()
    expect((await lookup.find(link.fullShortUrl)).tier).toMatch(/redis|mysql/)
  })

  it('keeps a miss for two seconds, so that a link made meanwhile is soon found', async () => {
    const clock = shiftableClock()
    const full = `${HOST}/${freshCode()}`
    const lookup = newLookup()
    await lookup.find(full)
    clock.forward(900)
    await allRead()
    expect(lookup.peek(full)).toMatchObject({ record: null })
    clock.forward(1_100)
    expect(lookup.peek(full)).toBeUndefined()
  })

  it('is believed for less than a second while changes by others may not be heard', async () => {
    const clock = shiftableClock()
    const link = await storedLink()
    const hearing = newLookup()
    const deaf = new Lookup({ db, registry, outbox, feeds: new Feeds(redis), memory: 16_384 })
    for (const lookup of [hearing, deaf]) {
      await lookup.find(link.fullShortUrl)
      expect(lookup.peek(link.fullShortUrl)).toBeDefined()
    }
    clock.forward(900)
    await allRead()
    expect(hearing.peek(link.fullShortUrl)).toBeDefined()
    expect(deaf.peek(link.fullShortUrl)).toBeUndefined()
  })
})

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

describe('a change', () => {
  it('that is heard during a flight is not undone by that flight', async () => {
    const link = await storedLink()
    const lookup = newLookup()
    const flight = lookup.find(link.fullShortUrl)
    lookup.invalidate(link.fullShortUrl)
    expect((await flight).entry.record).toEqual(toRecord(link))
    expect(lookup.peek(link.fullShortUrl)).toBeUndefined()
  })

  it('is seen by everyone who asks after it, although an older flight is still under way', async () => {
    const link = await storedLink()
    const lookup = newLookup()
    const early = lookup.find(link.fullShortUrl)
    lookup.invalidate(link.fullShortUrl)
    const late = lookup.find(link.fullShortUrl)
    expect((await late).entry).not.toBe((await early).entry)
    expect(lookup.peek(link.fullShortUrl)).toBe((await late).entry)
  })

  it('that may have been missed makes everything doubtful, and no flight from before fills it again', async () => {
    const [kept, flying] = [await storedLink(), await storedLink()]
    const lookup = newLookup()
    await lookup.find(kept.fullShortUrl)
    const flight = lookup.find(flying.fullShortUrl)
    feeds.doubtAll()
    await flight
    for (const { fullShortUrl } of [kept, flying]) expect(lookup.peek(fullShortUrl)).toBeUndefined()
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
