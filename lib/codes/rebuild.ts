import { randomUUID } from 'node:crypto'
import type { Config } from '@/lib/config'
import type { DatabaseGateway } from '@/lib/db/gateway'
import { inBatches } from '@/lib/db/pieces'
import type { RedisGateway } from '@/lib/redis/gateway'
import { FilterLostError, type Registry } from './registry'
import { codeScripts } from './scripts'
import { SHARDS, shardKeys } from './shards'

const BATCH = 5_000
/** How much more than its share of the codes a shard has room for. */
export const SHARD_MARGIN = 1.1
/** Where a rebuild has got to, for the one that goes on with it. */
const PROGRESS_KEY = 'terse:rebuild'

export interface FilterSettings {
  /** Codes in all shards together, at least. */
  capacity: number
  /** What it grows to by itself, at most. */
  maxCapacity: number
  errorRate: number
  implementation: 'auto' | 'native' | 'bitmap'
}

/** What the settings ask for. */
export function filterSettings(config: Config): FilterSettings {
  return {
    capacity: config.BLOOM_CAPACITY,
    maxCapacity: Math.max(config.BLOOM_CAPACITY, config.BLOOM_MAX_CAPACITY),
    errorRate: config.BLOOM_ERROR_RATE,
    implementation: config.BLOOM_IMPLEMENTATION,
  }
}

type Bounds = Pick<FilterSettings, 'capacity' | 'maxCapacity'>

/** What a filter may be made for: what is asked for, twice that, and so on. */
export function capacitiesOf({ capacity, maxCapacity }: Bounds): number[] {
  const doublings = Math.max(0, Math.ceil(Math.log2(maxCapacity / capacity)))
  return Array.from({ length: doublings + 1 }, (_, i) => Math.max(capacity, Math.min(capacity * 2 ** i, maxCapacity)))
}

/** What a filter for so many codes is made for: enough that they fill no more than half of it, where that may be. */
export function capacityFor(codes: number, bounds: Bounds): number {
  const capacities = capacitiesOf(bounds)
  return capacities.find((capacity) => capacity >= 2 * codes) ?? Math.max(...capacities)
}

/** Codes in use or in quarantine, as MySQL counts them. */
export async function countCodes(db: DatabaseGateway): Promise<{ links: number; deleted: number }> {
  const [links, deleted] = await Promise.all([db.client.link.count(), db.client.deletedLink.count()])
  return { links, deleted }
}

/**
 * Size of a Bloom filter (B. Bloom, 1970): m = -n ln p / (ln 2)^2 bits, k = m/n ln 2 probes.
 * A shard gets a tenth more than its share, since hashing does not divide codes evenly.
 */
export function filterSize(settings: Pick<FilterSettings, 'capacity' | 'errorRate'>): {
  capacity: number
  bits: number
  hashes: number
} {
  const capacity = Math.ceil((settings.capacity / SHARDS) * SHARD_MARGIN)
  const bits = Math.ceil((-capacity * Math.log(settings.errorRate)) / Math.LN2 ** 2)
  // A Redis string holds at most 512 MB.
  if (bits > 2 ** 32) throw new RangeError('BLOOM_CAPACITY and BLOOM_ERROR_RATE ask for a filter larger than 512 MB a shard')
  return { capacity, bits, hashes: Math.max(1, Math.round((bits / capacity) * Math.LN2)) }
}

/** Whether the server has RedisBloom's commands. */
export async function hasNativeBloom(redis: RedisGateway): Promise<boolean> {
  const [info] = (await redis.client.call('COMMAND', 'INFO', 'BF.RESERVE')) as [unknown]
  return Array.isArray(info)
}

export interface RebuildProgress {
  done: number
  total: number
}

type Cursor = { table: 'link' | 'deletedLink'; id: bigint; done: number }

/**
 * Makes a new generation of every shard's filter from MySQL, with room for what there is, and puts it in place of the old
 * one. Links may be created meanwhile: writers add to both generations. A rebuild that was broken off goes on where it
 * was, as long as Redis has not restarted. It makes nothing trusted that was not: that is for lib/redirect/trust.ts.
 * @param onProgress waited for; what it throws breaks the rebuild off
 * @throws FilterLostError when Redis lost the new generation; else when MySQL or Redis fails, and what was done is kept for
 *   the next attempt
 */
export async function rebuildFilter(
  redis: RedisGateway,
  db: DatabaseGateway,
  registry: Registry,
  settings: FilterSettings,
  onProgress: (progress: RebuildProgress) => void | Promise<void> = () => {},
): Promise<RebuildProgress> {
  const { links, deleted } = await countCodes(db)
  const capacity = capacityFor(links + deleted, settings)
  const { rebuild, cursor } = await begin(redis, { ...settings, capacity })
  const progress = { done: cursor.done, total: Math.max(cursor.done, links + deleted) }
  await onProgress(progress)
  for await (const batch of codesFrom(db, cursor)) {
    await registry.add(batch.entries, 'next')
    progress.done += batch.entries.length
    await redis.client.hset(PROGRESS_KEY, { rebuild, table: batch.table, id: batch.lastId.toString(), done: progress.done })
    await onProgress(progress)
  }
  for (let shard = 0; shard < SHARDS; shard++) {
    const keys = shardKeys(shard)
    const swapped = await redis.bulk(codeScripts.swap, [keys.bloom, keys.marker, keys.next, keys.nextMarker], [rebuild])
    if (swapped !== 1) throw new FilterLostError('Redis restarted, or another rebuild began, before this one was done')
  }
  await redis.client.del(PROGRESS_KEY)
  return { done: progress.done, total: progress.done }
}

/**
 * Goes on with the rebuild that was broken off, or begins one under an id of its own. An id is drawn by one process, which
 * makes each of its shards once, behind a cursor at the beginning: so a shard that carries the id has every code that was
 * added since, even if processes crashed, paused or lost the lead in between. A shard that is gone is never made again under it.
 */
async function begin(redis: RedisGateway, settings: FilterSettings): Promise<{ rebuild: string; cursor: Cursor }> {
  const known = await redis.client.hgetall(PROGRESS_KEY)
  if (known.rebuild && known.id && (await isWhole(redis, known.rebuild))) {
    const table = known.table === 'deletedLink' ? 'deletedLink' : 'link'
    return { rebuild: known.rebuild, cursor: { table, id: BigInt(known.id), done: Number(known.done) } }
  }
  const native = settings.implementation === 'native' || (settings.implementation === 'auto' && (await hasNativeBloom(redis)))
  const { capacity, bits, hashes } = filterSize(settings)
  const rebuild = randomUUID()
  const cursor: Cursor = { table: 'link', id: -1n, done: 0 }
  // Before the first shard: from then on another process may find the id.
  await redis.client.hset(PROGRESS_KEY, { rebuild, table: cursor.table, id: cursor.id.toString(), done: cursor.done })
  for (let shard = 0; shard < SHARDS; shard++) {
    const keys = shardKeys(shard)
    const args = [native ? 'native' : 'bitmap', bits, hashes, capacity, settings.errorRate, rebuild]
    await redis.bulk(codeScripts.reserve, [keys.next, keys.nextMarker], args)
  }
  return { rebuild, cursor }
}

/** Whether every shard of a rebuild is there, on the server on which it was begun. */
async function isWhole(redis: RedisGateway, rebuild: string): Promise<boolean> {
  const reserved = Array.from({ length: SHARDS }, (_, shard) => {
    const { next, nextMarker } = shardKeys(shard)
    return redis.bulk(codeScripts.reserved, [next, nextMarker], [rebuild])
  })
  return (await Promise.all(reserved)).every((answer) => answer === 1)
}

interface Batch {
  table: Cursor['table']
  lastId: bigint
  entries: { full: string; freedAt: number | null }[]
}

/** Every code in use or in quarantine, in batches, behind `cursor`. */
async function* codesFrom(db: DatabaseGateway, cursor: Cursor): AsyncGenerator<Batch, void> {
  const page = { orderBy: { id: 'asc' }, take: BATCH } as const
  if (cursor.table === 'link') {
    const select = { id: true, fullShortUrl: true } as const
    const links = inBatches(cursor.id, (after) => db.client.link.findMany({ where: { id: { gt: after } }, select, ...page }))
    for await (const { rows, lastId } of links) {
      yield { table: 'link', lastId, entries: rows.map((row) => ({ full: row.fullShortUrl, freedAt: null })) }
    }
  }
  const select = { id: true, fullShortUrl: true, deletedAt: true } as const
  const deleted = inBatches(cursor.table === 'deletedLink' ? cursor.id : -1n, (after) =>
    db.client.deletedLink.findMany({ where: { id: { gt: after } }, select, ...page }),
  )
  for await (const { rows, lastId } of deleted) {
    const entries = rows.map((row) => ({ full: row.fullShortUrl, freedAt: row.deletedAt.getTime() }))
    yield { table: 'deletedLink', lastId, entries }
  }
}
