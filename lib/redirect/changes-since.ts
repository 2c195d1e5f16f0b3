import type { Registry } from '@/lib/codes/registry'
import { hashCode, SHARDS, shardKeys } from '@/lib/codes/shards'
import type { DatabaseGateway } from '@/lib/db/gateway'
import { inBatches } from '@/lib/db/pieces'
import type { RedisGateway } from '@/lib/redis/gateway'
import { publishReconciled } from './publish-change'
import { type CachedRecord, changeOf, RECORD_COLUMNS, toRecord, toTombstone, VERSION_DIGITS } from './record'

const PAGE = { orderBy: { id: 'asc' }, take: 500 } as const

type Changed = ReturnType<typeof changeOf>

/** Publishes every link that was changed or deleted since. @returns how many. @throws when MySQL or Redis fails */
export async function publishSince(db: DatabaseGateway, registry: Registry, since: Date): Promise<number> {
  let count = 0
  for await (const changes of changedSince(db, since)) {
    await Promise.all(changes.map((change) => publishReconciled(registry, db, change, null)))
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
    await Promise.all(wrong.map((change) => publishReconciled(registry, db, change, null)))
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

/** Links, and then deleted ones, in batches. */
async function* changedSince(db: DatabaseGateway, since: Date): AsyncGenerator<Changed[], void> {
  const select = { ...RECORD_COLUMNS, fullShortUrl: true } as const
  const links = inBatches(-1n, (after) =>
    db.client.link.findMany({ where: { updatedAt: { gte: since }, id: { gt: after } }, ...PAGE, select }),
  )
  for await (const { rows } of links) yield rows.map((row) => changed(row, toRecord(row)))
  const deleted = inBatches(-1n, (after) =>
    db.client.deletedLink.findMany({
      where: { deletedAt: { gte: since }, id: { gt: after } },
      ...PAGE,
      select: { id: true, fullShortUrl: true, version: true, deletedAt: true },
    }),
  )
  for await (const { rows } of deleted) yield rows.map((row) => changed(row, toTombstone(row)))
}

const changed = ({ fullShortUrl }: { fullShortUrl: string }, record: CachedRecord) => changeOf(fullShortUrl, record)
