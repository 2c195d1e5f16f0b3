import { beforeEach, describe, expect, it } from 'vitest'
import type { DeletedLink } from '@/lib/db/generated/client'
import { insertLinks } from '@/lib/links/insert'
import { openGateway } from '@/lib/testing/counting'
import { testDatabase } from '@/lib/testing/database'
import { freshFilter, publishHeard, SMALL_FILTER, trustFilter } from '@/lib/testing/filter'
import { deletedRow, linkRow } from '@/lib/testing/links'
import { openRedis, testRedis } from '@/lib/testing/redis'
import { type RebuildProgress, rebuildFilter } from './rebuild'
import { Registry } from './registry'
import { hashCode, SHARDS, shardKeys } from './shards'

const LINKS = 5_400 // more than are read at once
const DELETED = 40

const server = await testRedis()
const redis = await openRedis(server.url)
const registry = new Registry(redis, 1_000)
const { url } = await testDatabase()
const db = openGateway(url)
/** A rebuild by itself makes nothing trusted: nothing else happens here that could have been missed. */
async function rebuild(onProgress?: (progress: RebuildProgress) => void): Promise<RebuildProgress> {
  const progress = await rebuildFilter(redis, db, registry, SMALL_FILTER, onProgress)
  await trustFilter(redis)
  return progress
}

const links = Array.from({ length: LINKS }, () => linkRow())
const deleted: DeletedLink[] = Array.from({ length: DELETED }, (_, i) => deletedRow(linkRow(), new Date(1_000_000 + i)))
for (let i = 0; i < LINKS; i += 900) await insertLinks(db.client, links.slice(i, i + 900))
await db.client.deletedLink.createMany({ data: deleted })

beforeEach(() => redis.client.flushall())

async function deniedOf(rows: { fullShortUrl: string }[]): Promise<string[]> {
  const denied: string[] = []
  for (let i = 0; i < rows.length; i += 500) {
    const some = rows.slice(i, i + 500)
    const answers = await Promise.all(some.map((row) => registry.lookup(row.fullShortUrl)))
    some.forEach((row, position) => {
      const answer = answers[position]
      if (!answer?.trusted || !answer.mayExist) denied.push(row.fullShortUrl)
    })
  }
  return denied
}

/** Begins a rebuild that ends with an error as soon as `done` codes were added. */
async function breakOffAt(done: number): Promise<void> {
  const broken = rebuild((progress) => {
    if (progress.done >= done) throw new Error('broken off')
  })
  await expect(broken).rejects.toThrow('broken off')
}

/** What a rebuild says at its start, and at its end. */
async function rebuildToTheEnd(): Promise<{ first: RebuildProgress | undefined; last: RebuildProgress }> {
  let first: RebuildProgress | undefined
  const last = await rebuild((progress) => {
    first ??= { ...progress }
  })
  return { first, last }
}

const EVERYTHING = LINKS + DELETED

describe('a rebuild', () => {
  it('holds the same where its bitmap is too large to be gathered in memory', async () => {
    const progress = await rebuildFilter(redis, db, registry, { ...SMALL_FILTER, implementation: 'bitmap', mostGathered: 0 })
    await trustFilter(redis)
    expect(progress).toEqual({ done: EVERYTHING, total: EVERYTHING })
    expect(await deniedOf([...links, ...deleted])).toEqual([])
  })

  it('holds every link and every deleted one, and frees the deleted ones at the time of their deletion', async () => {
    const { first, last } = await rebuildToTheEnd()
    expect(first).toEqual({ done: 0, total: EVERYTHING })
    expect(last).toEqual({ done: EVERYTHING, total: EVERYTHING })
    expect(await deniedOf([...links, ...deleted])).toEqual([])
    for (const row of deleted) {
      const score = await redis.client.zscore(shardKeys(hashCode(row.fullShortUrl).shard).freed, row.fullShortUrl)
      expect(score).toBe(String(row.deletedAt.getTime()))
    }
    expect(await registry.lookup('terse.test/unknown')).toEqual({ trusted: true, record: null, mayExist: false })
  })

  it('holds every link where Redis evicts keys that are to expire, or another rebuild uses the same ones', async () => {
    const other = await openRedis(server.url)
    const passing = Array.from({ length: SHARDS }, (_, shard) => shardKeys(shard).gathered)
    let isRunning = true
    const evict = async () => {
      while (isRunning) await Promise.all(passing.map((key) => other.client.del(key)))
    }
    const evicting = evict()
    // Several pieces a shard.
    const large = { ...SMALL_FILTER, capacity: 10_000_000, maxCapacity: 10_000_000, implementation: 'bitmap' as const }
    await rebuildFilter(redis, db, registry, large).finally(() => {
      isRunning = false
    })
    await evicting
    await trustFilter(redis)
    expect(await deniedOf(links)).toEqual([])
    expect(await redis.client.exists(...passing.slice(0, 1))).toBe(0)
  })

  it('holds what was claimed or published while it ran', async () => {
    await freshFilter(redis)
    const during: { fullShortUrl: string }[] = []
    let work = Promise.resolve()
    const create = async () => {
      const [claimed, published] = [linkRow(), linkRow()]
      expect(await registry.claim([claimed.fullShortUrl])).toEqual(['claimed'])
      await publishHeard(redis, { full: published.fullShortUrl, value: `${'1'.padStart(19, '0')}{}`, freedAt: null })
      during.push(claimed, published)
    }
    await rebuild(() => {
      work = work.then(create)
    })
    await work
    expect(during.length).toBeGreaterThanOrEqual(8)
    expect(await deniedOf([...during, ...links])).toEqual([])
  })

  it('does not take trust away while it runs', async () => {
    await rebuild()
    let trusted = Promise.resolve(true)
    await rebuild(() => {
      trusted = trusted.then(async (before) => before && (await registry.lookup('terse.test/unknown')).trusted)
    })
    expect(await trusted).toBe(true)
  })

  it('that was broken off is trusted by nobody, and goes on where it was', async () => {
    await breakOffAt(5_000)
    expect(await registry.lookup(links[0]?.fullShortUrl ?? '')).toMatchObject({ trusted: false })
    const { first, last } = await rebuildToTheEnd()
    expect(first).toEqual({ done: 5_000, total: EVERYTHING })
    expect(last.done).toBe(EVERYTHING)
    expect(await deniedOf([...links, ...deleted])).toEqual([])
  })

  it('that was broken off among the deleted ones goes on there', async () => {
    await breakOffAt(EVERYTHING)
    const { first } = await rebuildToTheEnd()
    expect(first).toMatchObject({ done: EVERYTHING })
    expect(await deniedOf([...links, ...deleted])).toEqual([])
  })

  it.each([
    ['Redis was emptied', () => redis.client.flushall()],
    ['one unfinished shard was evicted', () => redis.client.del(shardKeys(3).next)],
    ["one unfinished shard's marker was evicted", () => redis.client.del(shardKeys(3).nextMarker)],
  ])('begins again after %s', async (_, lose) => {
    await breakOffAt(5_000)
    await lose()
    const { first } = await rebuildToTheEnd()
    expect(first).toEqual({ done: 0, total: EVERYTHING })
    expect(await deniedOf([...links, ...deleted])).toEqual([])
  })

  it('begins again after Redis was restarted', async () => {
    await breakOffAt(5_000)
    await server.stop()
    await server.start()
    expect(await redis.connected(10_000)).toBe(true)
    const { first } = await rebuildToTheEnd()
    expect(first).toEqual({ done: 0, total: EVERYTHING })
    expect(await deniedOf([...links, ...deleted])).toEqual([])
  })

  it('whose shards were lost and begun again is not gone on with where it was, however often it is broken off', async () => {
    await breakOffAt(5_000)
    await server.stop()
    await server.start()
    expect(await redis.connected(10_000)).toBe(true)
    // The second attempt ends at each of its steps before the first code is added, as one that is killed there.
    for (let step = 0; step < 40; step++) {
      const calls = { count: 0 }
      const dying = new Proxy(redis, {
        get(target, name) {
          if (name === 'client') return dyingClient
          if (name === 'bulk') return (...args: Parameters<typeof redis.bulk>) => die(() => target.bulk(...args))
          return Reflect.get(target, name) as unknown
        },
      })
      const dyingClient = new Proxy(redis.client, {
        get(target, name) {
          const value = Reflect.get(target, name) as unknown
          if (typeof value !== 'function') return value
          return (...args: unknown[]) => die(() => (value as (...args: unknown[]) => Promise<unknown>).apply(target, args))
        },
      })
      const die = <T>(act: () => Promise<T>): Promise<T> =>
        calls.count++ < step ? act() : Promise.reject(new Error('the process ended'))
      const noCode = () => Promise.reject(new Error('the process ended'))
      await expect(rebuildFilter(dying, db, registry, SMALL_FILTER, noCode)).rejects.toThrow('the process ended')
    }
    await rebuildToTheEnd()
    expect(await deniedOf([...links, ...deleted])).toEqual([])
  })

  it('of a leader who was paused before it put its first cursor down is not taken for a finished one', async () => {
    await breakOffAt(5_000)
    await server.stop()
    await server.start()
    expect(await redis.connected(10_000)).toBe(true)
    let next: Promise<RebuildProgress> | undefined
    const paused = new Proxy(redis, {
      get(target, name) {
        const value = Reflect.get(target, name) as unknown
        if (name !== 'bulk') return value
        return async (...args: Parameters<typeof redis.bulk>) => {
          const [script, keys] = args
          const answer = await target.bulk(...args)
          // Paused behind its last reservation: another process takes the lead and goes to the end.
          if (script.name === 'codes/reserve' && keys[0] === shardKeys(SHARDS - 1).next) {
            next ??= rebuild()
            await next
          }
          return answer
        }
      },
    })
    await rebuildFilter(paused, db, registry, SMALL_FILTER).catch(() => {})
    await next
    expect(await deniedOf([...links, ...deleted])).toEqual([])
  })

  it('fails rather than put a filter in place that was emptied in the middle', async () => {
    let emptied: Promise<unknown> | undefined
    const broken = rebuild((progress) => {
      if (progress.done > 0) emptied ??= redis.client.flushall()
    })
    await expect(broken).rejects.toThrow()
    await emptied
    for (let shard = 0; shard < SHARDS; shard++) expect(await redis.client.exists(shardKeys(shard).bloom)).toBe(0)
  })

  it('leaves nothing of itself behind', async () => {
    await rebuild()
    const keys = await redis.client.keys('*')
    expect(keys.filter((key) => key.includes('next') || key.startsWith('terse:'))).toEqual([])
  })
})
