import { describe, expect, it, vi } from 'vitest'
import { hashCode, shardKeys } from '@/lib/codes/shards'
import { insertLinks } from '@/lib/links/insert'
import { shiftableClock } from '@/lib/testing/clock'
import { deletedRow, freshCode, HOST, linkRow } from '@/lib/testing/links'
import { testLookup } from '@/lib/testing/lookup'
import { Feeds } from './feeds'
import { Lookup } from './lookup'
import { outboxRow } from './outbox'
import { encodeRecord, toRecord, toTombstone } from './record'

const { redis, registry, db, outbox, feeds, allRead, newLookup, storedLink, publish } = await testLookup()

/** As long as addresses are, so that few links of them fit in little memory. */
const DESTINATION = `https://example.com/${'a'.repeat(400)}/`

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

  it('ask MySQL about many codes that may have two names by few statements', async () => {
    const link = await storedLink()
    const lookup = newLookup()
    const asked = vi.spyOn(db, 'rows')
    const names = Array.from({ length: 30 }, () => [`${HOST}/${freshCode()}`, `${HOST}/${freshCode()}`] as [string, string])
    const all = await Promise.all(
      [...names, [`${HOST}/${freshCode()}`, link.fullShortUrl] as const].map((some) => lookup.findNamed(some)),
    )
    const statements = asked.mock.calls.filter(([sql]) => sql.includes('fullShortUrl IN')).length
    asked.mockRestore()
    expect(all.map(({ entry }) => entry.record)).toEqual([...names.map(() => null), toRecord(link)])
    expect(statements).toBeLessThan(20)
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

it('a record of a Redis that is not trusted, as after an older copy came back, is not believed while MySQL answers', async () => {
  const link = await storedLink({ url: 'https://example.com/new' })
  await publish({ ...link, url: 'https://example.com/old', version: link.version - 1n })
  expect(await newLookup().find(link.fullShortUrl)).toMatchObject({ tier: 'redis' })
  await redis.client.del(shardKeys(hashCode(link.fullShortUrl).shard).marker)
  expect(await newLookup().find(link.fullShortUrl)).toMatchObject({ tier: 'mysql', entry: { record: toRecord(link) } })
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
