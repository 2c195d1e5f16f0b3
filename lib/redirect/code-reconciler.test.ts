import { describe, expect, it } from 'vitest'
import { CHANGES_CHANNEL, Registry } from '@/lib/codes/registry'
import { codeScripts } from '@/lib/codes/scripts'
import { hashCode, SHARDS, shardKeys } from '@/lib/codes/shards'
import { DatabaseGateway } from '@/lib/db/gateway'
import { insertLinks } from '@/lib/links/insert'
import { RedisGateway } from '@/lib/redis/gateway'
import { atEnd } from '@/lib/testing/cleanup'
import { publishHeard } from '@/lib/testing/filter'
import { deletedRow, linkRow } from '@/lib/testing/links'
import { closedPort } from '@/lib/testing/proxy'
import { testReconciler } from '@/lib/testing/reconciler'
import { publishSince } from './changes-since'
import { encodeRecord, toRecord, toTombstone } from './record'

const { server, redis, registry, url, db, reconciler, openReconciler } = await testReconciler()

async function restartRedis(): Promise<void> {
  await server.stop()
  await server.start()
  expect(await redis.connected(10_000)).toBe(true)
}

async function trustedShards(): Promise<number> {
  const verdicts = await Promise.all(
    Array.from({ length: SHARDS }, async (_, shard) => {
      const keys = shardKeys(shard)
      return (await redis.script(codeScripts.beat, [keys.bloom, keys.marker], []))[1]
    }),
  )
  return verdicts.filter((verdict) => verdict === 'ok').length
}

describe('the reconciler', () => {
  it('makes an empty Redis trusted, with every link in the filter and every freed code in quarantine', async () => {
    const [link, gone] = [linkRow(), linkRow()]
    await insertLinks(db.client, [link])
    await db.client.deletedLink.create({ data: deletedRow(gone) })
    await reconciler.check()
    expect(await trustedShards()).toBe(SHARDS)
    expect(await registry.lookup(link.fullShortUrl)).toMatchObject({ trusted: true, mayExist: true })
    expect(await registry.claim([link.fullShortUrl, gone.fullShortUrl])).toEqual(['maybe', 'quarantined'])
  })

  it('beats for a whole filter, and does nothing else to it', async () => {
    await reconciler.check()
    const { marker } = shardKeys(0)
    const before = await redis.client.hgetall(marker)
    await expect
      .poll(async () => {
        await reconciler.check()
        return Number(await redis.client.hget(marker, 'beat'))
      })
      .toBeGreaterThan(Number(before.beat))
    const after = await redis.client.hgetall(marker)
    expect({ ...after, beat: '' }).toEqual({ ...before, beat: '' })
  })

  it('mends an evicted shard', async () => {
    const link = linkRow()
    await insertLinks(db.client, [link])
    await reconciler.check()
    const { bloom } = shardKeys(hashCode(link.fullShortUrl).shard)
    await redis.client.del(bloom)
    expect(await trustedShards()).toBe(SHARDS - 1)
    await reconciler.check()
    expect(await trustedShards()).toBe(SHARDS)
    expect(await registry.lookup(link.fullShortUrl)).toMatchObject({ trusted: true, mayExist: true })
  })

  it('trusts nothing after a restart until what it may have lost was added again', async () => {
    await reconciler.check()
    // What a restart loses looks just like this: MySQL has it, Redis never heard.
    const [created, edited, gone] = [linkRow(), linkRow(), linkRow()]
    await publishHeard(redis, { full: edited.fullShortUrl, value: encodeRecord(toRecord(edited)), freedAt: null })
    await publishHeard(redis, { full: gone.fullShortUrl, value: encodeRecord(toRecord(gone)), freedAt: null })
    const later = { ...edited, url: 'https://example.com/edited', version: edited.version + 1n }
    await insertLinks(db.client, [created, later])
    const tombstone = deletedRow(gone)
    await db.client.deletedLink.create({ data: tombstone })

    await restartRedis()
    expect(await trustedShards()).toBe(0)
    expect(await registry.lookup(created.fullShortUrl)).toMatchObject({ trusted: false })
    expect(await registry.claim([created.fullShortUrl])).toEqual(['unknown'])

    await reconciler.check()
    expect(await trustedShards()).toBe(SHARDS)
    expect(await registry.lookup(created.fullShortUrl)).toEqual({
      trusted: true,
      record: null, // the first reader fills it
      mayExist: true,
    })
    expect((await registry.lookup(edited.fullShortUrl)).record).toBe(encodeRecord(toRecord(later)))
    expect((await registry.lookup(gone.fullShortUrl)).record).toBe(encodeRecord(toTombstone(tombstone)))
    expect(await registry.claim([gone.fullShortUrl])).toEqual(['quarantined'])
  })

  it('goes back a minute behind the last beat, since clocks differ, and no further', async () => {
    await reconciler.check()
    const beat = Number(await redis.client.hget(shardKeys(0).marker, 'beat'))
    const [recent, old] = [linkRow(), linkRow()]
    await insertLinks(db.client, [recent, old])
    for (const [{ id }, age] of [
      [recent, 50_000],
      [old, 3_600_000],
    ] as const) {
      await db.client.link.update({ where: { id }, data: { updatedAt: new Date(beat - age) } })
    }
    await restartRedis()
    await reconciler.check()
    expect((await registry.lookup(recent.fullShortUrl)).mayExist).toBe(true)
    expect((await registry.lookup(old.fullShortUrl)).mayExist).toBe(false)
  })

  it('tells a Redis that is slow what it may lack, and does not begin again and again', async () => {
    const links = Array.from({ length: 20 }, () => linkRow())
    await insertLinks(db.client, links)
    const since = new Date(Math.min(...links.map(({ updatedAt }) => updatedAt.getTime())))
    // As the app has it: those of other tests are patient.
    const gateway = new RedisGateway(server.url)
    atEnd(() => gateway.close())
    await expect.poll(() => gateway.roundTrip).toBeLessThan(50)
    await redis.client.call('CLIENT', 'PAUSE', '500', 'WRITE')
    expect(await publishSince(db, new Registry(gateway, 90_000), since)).toBeGreaterThanOrEqual(links.length)
    for (const { fullShortUrl } of links) expect((await registry.lookup(fullShortUrl)).mayExist).toBe(true)
  })

  it('does not let a tombstone win over the link that has its code now', async () => {
    await reconciler.check()
    const first = linkRow()
    const second = linkRow({ code: first.code, id: first.id + (1_000n << 22n) }) // made a second later
    await insertLinks(db.client, [second])
    await db.client.deletedLink.create({ data: deletedRow(first) })
    await publishHeard(redis, { full: first.fullShortUrl, value: encodeRecord(toRecord(first)), freedAt: null })
    await restartRedis()
    await reconciler.check()
    expect((await registry.lookup(second.fullShortUrl)).record).toBe(encodeRecord(toRecord(second)))
  })

  it('works once when several processes find the same fault at the same time', async () => {
    await insertLinks(db.client, [linkRow()])
    const others = Array.from({ length: 4 }, () => openReconciler())
    await Promise.all([reconciler, ...others].map((one) => one.check()))
    await expect.poll(trustedShards).toBe(SHARDS)
    expect(await redis.client.exists('terse:keeper')).toBe(0)
  })

  it('fails while MySQL is away, and trusts nothing meanwhile', async () => {
    const away = new DatabaseGateway(await closedPort(url), 1)
    await expect(openReconciler({ db: away }).check()).rejects.toThrow()
    await away.close()
    expect(await trustedShards()).toBe(0)
    await reconciler.check()
    expect(await trustedShards()).toBe(SHARDS)
  })
})

describe('trust', () => {
  const keys = shardKeys(0)
  const beat = () => redis.script(codeScripts.beat, [keys.bloom, keys.marker], [])
  const trust = (server: string, lastBeat: string | null) =>
    redis.script(codeScripts.trust, [keys.bloom, keys.marker, keys.changes], [server, lastBeat ?? '', CHANGES_CHANNEL, 0])

  it('is refused for any server but the present one, and for what was seen at another time', async () => {
    await reconciler.check()
    const [before, , lastBeat] = await beat()
    await restartRedis()
    expect(await trust(before, lastBeat)).toBe(0)
    expect(await trust('', lastBeat)).toBe(0)
    const [present] = await beat()
    expect(present).not.toBe(before)
    expect(await trust(present, '1')).toBe(0)
    expect(await trust(present, null)).toBe(0)
    expect(await trustedShards()).toBe(0)
    expect(await trust(present, lastBeat)).toBe(1)
    expect(await trustedShards()).toBe(1)
  })

  it('is refused when there is no filter to trust', async () => {
    await reconciler.check()
    const [present, , lastBeat] = await beat()
    await redis.client.del(keys.bloom)
    expect(await trust(present, lastBeat)).toBe(0)
    await redis.client.flushall()
    expect(await trust(present, lastBeat)).toBe(0)
  })
})
