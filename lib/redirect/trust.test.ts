import { afterEach, describe, expect, it, vi } from 'vitest'
import { rebuildFilter } from '@/lib/codes/rebuild'
import { hashCode, shardKeys } from '@/lib/codes/shards'
import { insertLinks } from '@/lib/links/insert'
import { publishHeard, SMALL_FILTER } from '@/lib/testing/filter'
import { deletedRow, linkRow } from '@/lib/testing/links'
import { testReconciler } from '@/lib/testing/reconciler'
import { copyOf } from '@/lib/testing/redis'
import { encodeRecord, toRecord, toTombstone } from './record'

const { server, redis, registry, db, reconciler } = await testReconciler()

const publish = (row: Parameters<typeof toRecord>[0] & { fullShortUrl: string }) =>
  publishHeard(redis, { full: row.fullShortUrl, value: encodeRecord(toRecord(row)), freedAt: null })

/** Changes a link in MySQL and Redis, as a ban does. */
async function ban(link: ReturnType<typeof linkRow>): Promise<ReturnType<typeof linkRow>> {
  const banned = { ...link, state: 'banned', version: link.version + 1n, updatedAt: new Date() }
  await db.client.link.update({
    where: { id: link.id },
    data: { state: 'banned', version: banned.version, updatedAt: banned.updatedAt },
  })
  await publish(banned)
  return banned
}

async function remove(link: ReturnType<typeof linkRow>): Promise<ReturnType<typeof deletedRow>> {
  const row = deletedRow(link)
  await db.client.deletedLink.create({ data: row })
  await db.client.link.delete({ where: { id: link.id } })
  await publishHeard(redis, { full: row.fullShortUrl, value: encodeRecord(toTombstone(row)), freedAt: row.deletedAt.getTime() })
  return row
}

afterEach(() => {
  vi.useRealTimers()
})

describe('a Redis that was restored from an old copy', () => {
  it.each([
    ['behind', -3_600_000],
    ['ahead of', 3_600_000],
  ])('is told of a ban by a process whose clock is an hour %s its own', async (_, difference) => {
    const link = linkRow()
    await insertLinks(db.client, [link])
    await db.client.link.update({ where: { id: link.id }, data: { updatedAt: new Date(Date.now() - 86_400_000) } })
    await reconciler.check()
    await publish(link)
    const restore = await copyOf(server, redis)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + difference })
    const banned = await ban(link)
    await restore()
    await reconciler.check()
    expect(await registry.lookup(link.fullShortUrl)).toMatchObject({ trusted: true, record: encodeRecord(toRecord(banned)) })
  })

  it.each([
    ['with its marker', () => Promise.resolve()],
    ['without its markers', () => redis.client.del(...Array.from({ length: 16 }, (_, shard) => shardKeys(shard).marker))],
  ])('and then rebuilt, %s, is not believed before its records and freed codes are those of MySQL', async (_, lose) => {
    const [link, gone] = [linkRow(), linkRow()]
    await insertLinks(db.client, [link, gone])
    await reconciler.check()
    await publish(link)
    await publish(gone)
    await lose()
    const restore = await copyOf(server, redis)
    const banned = await ban(link)
    const tombstone = await remove(gone)
    await restore()

    // A rebuild comes first, as that of an admin's job or of the command line may.
    await rebuildFilter(redis, db, registry, SMALL_FILTER)
    const answer = await registry.lookup(link.fullShortUrl)
    expect([answer.trusted, answer.record]).not.toEqual([true, encodeRecord(toRecord(link))])
    expect((await registry.lookup(gone.fullShortUrl)).trusted).toBe(false)

    await reconciler.check()
    expect(await registry.lookup(link.fullShortUrl)).toMatchObject({ trusted: true, record: encodeRecord(toRecord(banned)) })
    expect(await registry.lookup(gone.fullShortUrl)).toMatchObject({
      trusted: true,
      record: encodeRecord(toTombstone(tombstone)),
    })
    expect(await registry.claim([gone.fullShortUrl])).toEqual(['quarantined'])
  })
})

describe('a filter whose key holds something else', () => {
  it.each([
    ['a list', (key: string) => redis.client.rpush(key, 'x')],
    ['a short string', (key: string) => redis.client.set(key, 'x')],
  ])('%s is built again by itself, and denies nothing meanwhile', async (_, put) => {
    const link = linkRow()
    await insertLinks(db.client, [link])
    await reconciler.check()
    const { bloom } = shardKeys(hashCode(link.fullShortUrl).shard)
    await redis.client.del(bloom)
    await put(bloom)
    expect((await registry.lookup(link.fullShortUrl).catch(() => ({ trusted: false }))).trusted).toBe(false)
    await reconciler.check()
    expect(await registry.lookup(link.fullShortUrl)).toMatchObject({ trusted: true, mayExist: true })
  })

  it('and a marker that is no hash are both mended', async () => {
    const link = linkRow()
    await insertLinks(db.client, [link])
    await reconciler.check()
    const { marker } = shardKeys(hashCode(link.fullShortUrl).shard)
    await redis.client.set(marker, 'not a hash')
    await reconciler.check()
    expect(await registry.lookup(link.fullShortUrl)).toMatchObject({ trusted: true, mayExist: true })
  })
})
