import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Config } from '@/lib/config'
import { countAll } from '@/lib/counts/counts'
import type { DatabaseGateway } from '@/lib/db/gateway'
import { inBatches, pieces } from '@/lib/db/pieces'
import type { RedisGateway } from '@/lib/redis/gateway'
import { bytesOf, GatheredBits } from './gathered-bits'
import { FilterLostError, type Registry } from './registry'
import { codeScripts } from './scripts'
import { SHARDS, shardKeys } from './shards'

const BATCH = 5_000
/** Codes whose bits are gathered at a stretch: about a millisecond. */
const AT_A_STRETCH = 1_000
/** Bytes of memory in which bits are gathered, at most: of a filter for some 130 million codes. */
const MOST_GATHERED = 256 * 2 ** 20
/** Bits are merged once there is a code for so many bytes of the filter: then that takes little beside the gathering. */
const BYTES_FOR_A_CODE = 8
/** Deleted links that are counted by one statement, and how long one that counts links may take, in ms. */
const COUNTED = 50_000
const COUNT_TIME = 60_000
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
  /** Bytes of the largest bitmap that is gathered in memory; a larger one is filled code by code. */
  mostGathered?: number
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

/** Codes in use or in quarantine, as MySQL knows them. */
export async function countCodes(db: DatabaseGateway): Promise<{ links: number; deleted: number }> {
  // More patience than with a page: until the counter of links has been through them once, it counts the others.
  const scan = <Row>(select: string, ...values: unknown[]) => db.scanWithin<Row>(COUNT_TIME, select, ...values)
  const [links, deleted] = await Promise.all([countAll({ scan }), countDeleted(db)])
  return { links, deleted }
}

/** In steps: how many there are is known nowhere, and nobody waits for it. */
async function countDeleted(db: DatabaseGateway): Promise<number> {
  let count = 0
  for (let after = -1n; ; ) {
    const [some] = await db.scan<{ rows: bigint; last: bigint | null }>(
      `COUNT(*) AS \`rows\`, MAX(id) AS last FROM (SELECT id FROM DeletedLink WHERE id > ? ORDER BY id LIMIT ${COUNTED}) AS some`,
      after,
    )
    count += Number(some?.rows ?? 0)
    if (some?.last == null) return count
    after = some.last
  }
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

/** Up to which full short URL links, or up to which id deleted ones, are in the coming filter. */
interface Cursor {
  table: 'link' | 'deletedLink'
  after: string
  done: number
}

/** A rebuild under way. */
interface Rebuild {
  id: string
  cursor: Cursor
  /** Where bits are gathered; null: codes go to Redis one by one. */
  bits: GatheredBits | null
  /** Codes that are gathered before they are merged. */
  together: number
}

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
  const { id, cursor, bits, together } = await begin(redis, { ...settings, capacity })
  const progress = { done: cursor.done, total: Math.max(cursor.done, links + deleted) }
  await onProgress(progress)
  const note = (table: Cursor['table'], after: string) =>
    redis.client.hset(PROGRESS_KEY, { rebuild: id, table, after, done: progress.done })
  let last = ''
  const settle = async () => {
    await bits?.merge(redis, id)
    await note('link', last)
  }
  if (cursor.table === 'link') {
    for await (const codes of linkCodes(db, cursor.after)) {
      if (bits) await gather(bits, codes)
      else
        await registry.add(
          codes.map((full) => ({ full, freedAt: null })),
          'next',
        )
      last = codes.at(-1) ?? last
      progress.done += codes.length
      if (!bits || bits.count >= together) await settle()
      await onProgress(progress)
    }
    if (bits && bits.count > 0) await settle()
  }
  for await (const { entries, lastId } of deletedCodes(db, cursor.table === 'deletedLink' ? BigInt(cursor.after) : -1n)) {
    await registry.add(entries, 'next')
    progress.done += entries.length
    await note('deletedLink', lastId.toString())
    await onProgress(progress)
  }
  for (let shard = 0; shard < SHARDS; shard++) {
    const keys = shardKeys(shard)
    const swapped = await redis.bulk(codeScripts.swap, [keys.bloom, keys.marker, keys.next, keys.nextMarker], [id])
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
async function begin(redis: RedisGateway, settings: FilterSettings): Promise<Rebuild> {
  const native = settings.implementation === 'native' || (settings.implementation === 'auto' && (await hasNativeBloom(redis)))
  const known = await redis.client.hgetall(PROGRESS_KEY)
  if (known.rebuild && known.after !== undefined && (await isWhole(redis, known.rebuild))) {
    const table = known.table === 'deletedLink' ? 'deletedLink' : 'link'
    const marker = await redis.client.hgetall(shardKeys(0).nextMarker)
    const size = marker.impl === 'bitmap' ? { bits: Number(marker.bits), hashes: Number(marker.hashes) } : null
    return { id: known.rebuild, cursor: { table, after: known.after, done: Number(known.done) }, ...gathering(size, settings) }
  }
  const { capacity, bits, hashes } = filterSize(settings)
  const id = randomUUID()
  const cursor: Cursor = { table: 'link', after: '', done: 0 }
  // Before the first shard: from then on another process may find the id.
  await redis.client.hset(PROGRESS_KEY, { rebuild: id, table: cursor.table, after: cursor.after, done: cursor.done })
  for (let shard = 0; shard < SHARDS; shard++) {
    const keys = shardKeys(shard)
    const args = [native ? 'native' : 'bitmap', bits, hashes, capacity, settings.errorRate, id]
    await redis.bulk(codeScripts.reserve, [keys.next, keys.nextMarker], args)
  }
  return { id, cursor, ...gathering(native ? null : { bits, hashes }, settings) }
}

/** How the bits of a bitmap of this size are gathered; those of RedisBloom's filter, and of one that is too large, are not. */
function gathering(
  size: { bits: number; hashes: number } | null,
  { mostGathered = MOST_GATHERED }: FilterSettings,
): Pick<Rebuild, 'bits' | 'together'> {
  const bytes = size ? SHARDS * bytesOf(size.bits) : Number.POSITIVE_INFINITY
  if (!size || bytes > mostGathered) return { bits: null, together: 0 }
  return { bits: new GatheredBits(size.bits, size.hashes), together: bytes / BYTES_FOR_A_CODE }
}

/** In small pieces: between two of them redirects are answered. */
async function gather(bits: GatheredBits, codes: readonly string[]): Promise<void> {
  for (const some of pieces(codes, AT_A_STRETCH)) {
    for (const full of some) bits.add(full)
    await setImmediate()
  }
}

/** Whether every shard of a rebuild is there, on the server on which it was begun. */
async function isWhole(redis: RedisGateway, rebuild: string): Promise<boolean> {
  const reserved = Array.from({ length: SHARDS }, (_, shard) => {
    const { next, nextMarker } = shardKeys(shard)
    return redis.bulk(codeScripts.reserved, [next, nextMarker], [rebuild])
  })
  return (await Promise.all(reserved)).every((answer) => answer === 1)
}

/** The codes of links, in the order of the index that holds nothing else; the next are read while these are worked on. */
async function* linkCodes(db: DatabaseGateway, after: string): AsyncGenerator<string[], void> {
  const read = (from: string) =>
    db.rows<{ full: string }>(
      `SELECT fullShortUrl AS full FROM Link WHERE fullShortUrl > ? ORDER BY fullShortUrl LIMIT ${BATCH}`,
      from,
    )
  for (let next = read(after); ; ) {
    const rows = await next
    const last = rows.at(-1)
    if (!last) return
    next = read(last.full)
    // It is waited for later, or never.
    next.catch(() => {})
    yield rows.map(({ full }) => full)
  }
}

/** Codes in quarantine, in batches behind an id. */
async function* deletedCodes(db: DatabaseGateway, after: bigint) {
  const batches = inBatches(after, (id) =>
    db.client.deletedLink.findMany({
      where: { id: { gt: id } },
      select: { id: true, fullShortUrl: true, deletedAt: true },
      orderBy: { id: 'asc' },
      take: BATCH,
    }),
  )
  for await (const { rows, lastId } of batches) {
    yield { lastId, entries: rows.map((row) => ({ full: row.fullShortUrl, freedAt: row.deletedAt.getTime() })) }
  }
}
