import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { Registry } from '@/lib/codes/registry'
import { SHARDS, shardKeys } from '@/lib/codes/shards'
import { DatabaseGateway } from '@/lib/db/gateway'
import { insertLinks } from '@/lib/links/insert'
import type { RedisGateway } from '@/lib/redis/gateway'
import { testDatabase } from '@/lib/testing/database'
import { SMALL_FILTER } from '@/lib/testing/filter'
import { linkRow, SILENT } from '@/lib/testing/links'
import { openRedis, testRedis } from '@/lib/testing/redis'
import { Keeper } from './keeper'
import { encodeRecord, toRecord } from './record'

const servers = [await testRedis(), await testRedis()] as const
const [one, two] = await Promise.all([openRedis(servers[0].url), openRedis(servers[1].url)])
const { url } = await testDatabase()
const db = new DatabaseGateway(url, 4)
afterAll(() => db.close())
/** All that the app does goes to the first server, whatever becomes of it. */
const registry = new Registry(one, 90_000)
const keeperOf = (redis: RedisGateway) =>
  new Keeper({ redis, db, registry: new Registry(redis, 90_000), settings: SMALL_FILTER, log: SILENT })

async function replicate(from: RedisGateway, to: RedisGateway, port: number): Promise<void> {
  await from.client.config('SET', 'repl-diskless-sync-delay', '0')
  await to.client.config('SET', 'masterauth', decodeURIComponent(new URL(from.urls).password))
  await to.client.call('REPLICAOF', '127.0.0.1', String(port))
  await expect.poll(() => to.client.info('replication'), { timeout: 20_000, interval: 20 }).toMatch(/master_link_status:up/)
}
const promote = (redis: RedisGateway) => redis.client.call('REPLICAOF', 'NO', 'ONE')
/** Until the replica has all of it. */
async function caughtUp(): Promise<void> {
  const offset = async (redis: RedisGateway, field: string) =>
    new RegExp(`${field}:(\\d+)`).exec(await redis.client.info('replication'))?.[1]
  await expect.poll(async () => await offset(two, 'slave_repl_offset')).toBe(await offset(one, 'master_repl_offset'))
}

beforeEach(async () => {
  await promote(one)
  await promote(two)
  await one.client.flushall()
  await db.client.link.deleteMany()
  await replicate(one, two, servers[0].port)
  await keeperOf(one).check()
  // The first replica gives the history of its master a new name: what is found now stays.
  await keeperOf(one).check()
})

/** Creates a link as the app does. */
async function create(): Promise<ReturnType<typeof linkRow>> {
  const link = linkRow()
  await registry.claim([link.fullShortUrl])
  await insertLinks(db.client, [link])
  await registry.publish({ full: link.fullShortUrl, value: encodeRecord(toRecord(link)), freedAt: null })
  return link
}

async function trustedShards(redis: RedisGateway): Promise<number> {
  let trusted = 0
  for (let shard = 0; shard < SHARDS; shard++) {
    const { bloom, marker, record } = shardKeys(shard)
    const [believed] = await redis.script('lookup', [bloom, marker, record('x')], ['x', 1, 1, ''])
    trusted += believed
  }
  return trusted
}

describe('split brain', () => {
  it('a master that was written to while its replica took over denies nothing once it follows it, or leads again', async () => {
    expect(await trustedShards(one)).toBe(SHARDS)
    await caughtUp()
    await promote(two)
    const lost = await Promise.all(Array.from({ length: 20 }, create)) // to the old master, which the app still talks to
    for (const { fullShortUrl } of lost) expect((await registry.lookup(fullShortUrl)).mayExist).toBe(true)

    const denied = async () => {
      const answers = await Promise.all(lost.map(({ fullShortUrl }) => registry.lookup(fullShortUrl)))
      return answers.filter(({ trusted, mayExist }) => trusted && !mayExist).length
    }
    await replicate(two, one, servers[1].port)
    expect(await denied()).toBe(0)
    await promote(one)
    expect(await denied()).toBe(0)
    await keeperOf(one).check()
    expect(await denied()).toBe(0)
    expect(await trustedShards(one)).toBe(SHARDS)
    for (const link of lost) expect((await registry.lookup(link.fullShortUrl)).mayExist).toBe(true)
  })

  it('no replica is believed, however well it is in step, nor mended', async () => {
    await caughtUp()
    // Now and then the connection is given up, to look for the master behind it.
    const trusted = () => expect.poll(() => trustedShards(two).catch(() => null), { timeout: 10_000, interval: 20 })
    const checked = () =>
      keeperOf(two)
        .check()
        .then(
          () => true,
          () => false,
        )
    await trusted().toBe(0)
    await expect.poll(checked).toBe(true)
    await trusted().toBe(0)
  })

  it('a master that becomes a replica without losing its connections is believed no more', async () => {
    const link = await create()
    await caughtUp()
    await promote(two)
    await replicate(two, one, servers[1].port)
    expect((await registry.lookup(link.fullShortUrl)).trusted).toBe(false)
    expect(await registry.claim(['terse.test/another'])).toEqual(['unknown'])
    expect(await trustedShards(one)).toBe(0)
  })

  it('a replica that was promoted is believed once what its master had told it last was looked through', async () => {
    await caughtUp()
    await promote(two)
    expect(await trustedShards(two)).toBe(0)
    const lost = await create() // known to the old master only
    await keeperOf(two).check()
    expect(await trustedShards(two)).toBe(SHARDS)
    const known = () => new Registry(two, 90_000).lookup(lost.fullShortUrl)
    expect((await known()).mayExist).toBe(true)
    // Once its client has noticed, too.
    await expect.poll(known).toMatchObject({ trusted: true, mayExist: true })
  })
})
