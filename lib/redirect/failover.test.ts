import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { Registry } from '@/lib/codes/registry'
import { codeScripts } from '@/lib/codes/scripts'
import { SHARDS, shardKeys } from '@/lib/codes/shards'
import { DatabaseGateway } from '@/lib/db/gateway'
import { insertLinks } from '@/lib/links/insert'
import { isRedisAway, type RedisGateway } from '@/lib/redis/gateway'
import { testDatabase } from '@/lib/testing/database'
import { SMALL_FILTER } from '@/lib/testing/filter'
import { linkRow, SILENT } from '@/lib/testing/links'
import { openRedis, testRedis } from '@/lib/testing/redis'
import { controlOf, replicate } from '@/lib/testing/sentinel'
import { CodeReconciler } from './code-reconciler'
import { encodeRecord, toRecord } from './record'

const servers = [await testRedis(), await testRedis()] as const
const [toOne, toTwo] = [controlOf(servers[0].url), controlOf(servers[1].url)]
const [one, two] = await Promise.all([openRedis(servers[0].url), openRedis(servers[1].url)])
const { url } = await testDatabase()
const db = new DatabaseGateway(url, 4)
afterAll(() => db.close())
/** All that the app does goes to the first server, whatever becomes of it. */
const registry = new Registry(one, 90_000)
const keeperOf = (redis: RedisGateway) =>
  new CodeReconciler({ redis, db, registry: new Registry(redis, 90_000), settings: SMALL_FILTER, log: SILENT })

const promote = (redis: Redis) => redis.call('REPLICAOF', 'NO', 'ONE')

/** Until the replica has all of it. */
async function caughtUp(): Promise<void> {
  const offset = async (redis: Redis, field: string) => new RegExp(`${field}:(\\d+)`).exec(await redis.info('replication'))?.[1]
  await expect.poll(async () => await offset(toTwo, 'slave_repl_offset')).toBe(await offset(toOne, 'master_repl_offset'))
}

beforeEach(async () => {
  await promote(toOne)
  await promote(toTwo)
  // Its client may have left what was a replica a moment ago.
  for (const redis of [one, two]) expect(await redis.connected(10_000)).toBe(true)
  await one.client.flushall()
  await db.client.link.deleteMany()
  await replicate(servers[0].url, toTwo)
  await keeperOf(one).check()
  // The first replica gives the history of its master a new name: what is found now stays.
  await keeperOf(one).check()
})

/** Creates a link as the app does. */
async function create(): Promise<ReturnType<typeof linkRow>> {
  const link = linkRow()
  await registry.claim([link.fullShortUrl])
  await insertLinks(db.client, [link])
  await registry.publish({ full: link.fullShortUrl, value: encodeRecord(toRecord(link)), freedAt: null }, null)
  return link
}

/** A connection that leads to a replica is given up now and then, to look for the master: what it cut off is asked again. */
async function reached<T>(redis: RedisGateway, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isRedisAway(error)) throw error
      await nextTurn()
      expect(await redis.connected(10_000)).toBe(true)
    }
  }
}

/** @param known the id that the client has read, which may be out of date; '' when it does not know it */
async function trustedShards(redis: RedisGateway, known = ''): Promise<number> {
  let trusted = 0
  for (let shard = 0; shard < SHARDS; shard++) {
    const { bloom, marker, record } = shardKeys(shard)
    const look = () => redis.script(codeScripts.lookup, [bloom, marker, record('x')], ['x', 1, 1, known])
    trusted += (await reached(redis, look))[0]
  }
  return trusted
}

describe('split brain', () => {
  it('a master that was written to while its replica took over denies nothing once it follows it, or leads again', async () => {
    const before = (await one.script(codeScripts.beat, [shardKeys(0).bloom, shardKeys(0).marker], []))[0]
    expect(await trustedShards(one, before)).toBe(SHARDS)
    await caughtUp()
    await promote(toTwo)
    const lost = await Promise.all(Array.from({ length: 20 }, create)) // to the old master, which the app still talks to
    for (const { fullShortUrl } of lost) expect((await registry.lookup(fullShortUrl)).mayExist).toBe(true)

    const denied = async () => {
      const answers = await Promise.all(lost.map(({ fullShortUrl }) => reached(one, () => registry.lookup(fullShortUrl))))
      return answers.filter(({ trusted, mayExist }) => trusted && !mayExist).length
    }
    await replicate(servers[1].url, toOne)
    expect(await denied()).toBe(0)
    expect(await trustedShards(one, before)).toBe(0)
    await promote(toOne)
    expect(await denied()).toBe(0)
    expect(await trustedShards(one, before)).toBe(0)
    await reached(one, () => keeperOf(one).check())
    expect(await denied()).toBe(0)
    expect(await trustedShards(one)).toBe(SHARDS)
    for (const link of lost) expect((await registry.lookup(link.fullShortUrl)).mayExist).toBe(true)
  })

  it('no replica is believed, however well it is in step, nor mended', async () => {
    await caughtUp()
    expect(await trustedShards(two)).toBe(0)
    await reached(two, () => keeperOf(two).check())
    expect(await trustedShards(two)).toBe(0)
  })

  it('a master that becomes a replica without losing its connections is believed no more', async () => {
    const link = await create()
    await caughtUp()
    await promote(toTwo)
    await replicate(servers[1].url, toOne)
    expect((await reached(one, () => registry.lookup(link.fullShortUrl))).trusted).toBe(false)
    expect(await registry.claim(['terse.test/another'])).toEqual(['unknown'])
    expect(await trustedShards(one)).toBe(0)
  })

  it('a replica that was promoted is believed once what its master had told it last was looked through', async () => {
    await caughtUp()
    await promote(toTwo)
    expect(await trustedShards(two)).toBe(0)
    const lost = await create() // known to the old master only
    await reached(two, () => keeperOf(two).check())
    expect(await trustedShards(two)).toBe(SHARDS)
    const known = () => reached(two, () => new Registry(two, 90_000).lookup(lost.fullShortUrl))
    expect((await known()).mayExist).toBe(true)
    // Once its client has noticed, too.
    await expect.poll(known).toMatchObject({ trusted: true, mayExist: true })
  })
})
