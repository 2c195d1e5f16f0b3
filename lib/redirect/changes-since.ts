import type { Registry } from '@/lib/codes/registry'
import { hashCode, SHARDS, shardKeys } from '@/lib/codes/shards'
import type { DatabaseGateway } from '@/lib/db/gateway'
import type { RedisGateway } from '@/lib/redis/gateway'
import { publishReconciled } from './publish-change'
import { type CachedRecord, changeOf, RECORD_COLUMNS, toRecord, toTombstone, VERSION_DIGITS } from './record'

/** Changes of a batch. */
const PAGE = 500

type Changed = ReturnType<typeof changeOf>

/** Publishes every link that was changed or deleted since. @returns how many. @throws when MySQL or Redis fails */
export async function publishSince(db: DatabaseGateway, registry: Registry, since: Date): Promise<number> {
  let count = 0
  for await (const changes of changedSince(db, since)) {
    await Promise.all(changes.map((change) => publishReconciled(registry, db, change, null, true)))
    count += changes.length
  }
  return count
}

/**
 * Publishes those links that were changed or deleted since of which Redis holds another version. What Redis does not hold it
 * is not told of: after a flush that would fill it with links that nobody asks for.
 * @param shards those in which to look
 * @returns how many. @throws when MySQL or Redis fails
 */
export async function correctRecords(
  redis: RedisGateway,
  db: DatabaseGateway,
  registry: Registry,
  since: Date,
  shards: ReadonlySet<number>,
): Promise<number> {
  let count = 0
  for await (const changes of changedSince(db, since)) {
    const byShard: Changed[][] = Array.from({ length: SHARDS }, () => [])
    for (const change of changes) byShard[hashCode(change.full).shard]?.push(change)
    const looked = byShard.map((some, shard) => (shards.has(shard) ? otherwise(redis, shard, some) : []))
    const wrong = (await Promise.all(looked)).flat()
    await Promise.all(wrong.map((change) => publishReconciled(registry, db, change, null, true)))
    count += wrong.length
  }
  return count
}

/**
 * Those of `changes`, all of one shard, that Redis holds otherwise: as they were before, or as a MySQL knew them that was put
 * back since.
 */
async function otherwise(redis: RedisGateway, shard: number, changes: Changed[]): Promise<Changed[]> {
  if (changes.length === 0) return []
  const keys = shardKeys(shard)
  const held = await redis.client.mget(changes.map(({ full }) => keys.record(full)))
  return changes.filter(({ value }, index) => {
    const record = held[index]
    return record != null && record.slice(0, VERSION_DIGITS) !== value.slice(0, VERSION_DIGITS)
  })
}

/**
 * Links, and then deleted ones, in batches, each in the order in which they were changed: the index leads from one batch to the
 * next.
 */
async function* changedSince(db: DatabaseGateway, since: Date): AsyncGenerator<Changed[], void> {
  const links = inOrder(since, (at, id) =>
    db.client.link.findMany({
      where: { updatedAt: { gte: at }, OR: [{ updatedAt: { gt: at } }, { id: { gt: id } }] },
      orderBy: [{ updatedAt: 'asc' }, { id: 'asc' }],
      take: PAGE,
      select: { ...RECORD_COLUMNS, fullShortUrl: true, updatedAt: true },
    }),
  )
  for await (const rows of links(({ updatedAt }) => updatedAt)) yield rows.map((row) => changed(row, toRecord(row)))
  const deleted = inOrder(since, (at, id) =>
    db.client.deletedLink.findMany({
      where: { deletedAt: { gte: at }, OR: [{ deletedAt: { gt: at } }, { id: { gt: id } }] },
      orderBy: [{ deletedAt: 'asc' }, { id: 'asc' }],
      take: PAGE,
      select: { id: true, fullShortUrl: true, version: true, deletedAt: true, undoneBy: true },
    }),
  )
  for await (const rows of deleted(({ deletedAt }) => deletedAt)) yield rows.map((row) => changed(row, toTombstone(row)))
}

/**
 * Rows in order of a time, batch by batch. It ends with the first that is not full: what is changed from then on is published
 * with its change.
 * @param read the first rows behind a time and an id
 */
function inOrder<Row extends { id: bigint }>(since: Date, read: (at: Date, id: bigint) => Promise<Row[]>) {
  return async function* (timeOf: (row: Row) => Date): AsyncGenerator<Row[], void> {
    for (let [at, id] = [since, -1n]; ; ) {
      const rows = await read(at, id)
      const last = rows.at(-1)
      if (!last) return
      yield rows
      if (rows.length < PAGE) return
      ;[at, id] = [timeOf(last), last.id]
    }
  }
}

const changed = ({ fullShortUrl }: { fullShortUrl: string }, record: CachedRecord) => changeOf(fullShortUrl, record)
