import { afterAll, beforeEach, expect, vi } from 'vitest'
import { Registry } from '@/lib/codes/registry'
import { hashCode, SHARDS, shardKeys } from '@/lib/codes/shards'
import { DatabaseGateway } from '@/lib/db/gateway'
import type { Link } from '@/lib/db/generated/client'
import { insertLinks } from '@/lib/links/insert'
import { Feeds } from '@/lib/redirect/feeds'
import { Lookup } from '@/lib/redirect/lookup'
import { Outbox } from '@/lib/redirect/outbox'
import { encodeRecord, toRecord } from '@/lib/redirect/record'
import { testDatabase } from './database'
import { freshFilter, publishHeard } from './filter'
import { freshCode, HOST, linkRow, SILENT } from './links'
import { proxyTo } from './proxy'
import { openRedis, testRedis } from './redis'

/** A full short URL of every shard. */
const ofEachShard = Array.from({ length: SHARDS }, (_, shard) => {
  for (;;) {
    const full = `${HOST}/${freshCode()}`
    if (hashCode(full).shard === shard) return full
  }
})

/**
 * What lookups work on, with servers that can be cut off (`toMysql`, `toRedis`), and before each test an empty filter that is
 * trusted. Call it at the top level.
 */
export async function testLookup() {
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

  /** Until this process has read everything in the outbox and in the feeds. */
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

  const newLookup = (memory = 1024 * 1024) => new Lookup({ db, registry, outbox, feeds, memory })

  /** A link in MySQL that the filter knows, as after a rebuild. */
  async function storedLink(given: Partial<Link> = {}): Promise<Link> {
    const link = linkRow(given)
    await insertLinks(db.client, [link])
    await registry.add([{ full: link.fullShortUrl, freedAt: null }], 'current')
    return link
  }

  const publish = (link: Link) =>
    publishHeard(redis, { full: link.fullShortUrl, value: encodeRecord(toRecord(link)), freedAt: null })

  return { ...{ connection, toMysql, toRedis, redis, registry, db, outbox, feeds }, allRead, newLookup, storedLink, publish }
}
