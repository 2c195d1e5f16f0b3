import { Cluster } from 'ioredis'
import type { Registry } from '@/lib/codes/registry'
import { SHARDS, shardKeys } from '@/lib/codes/shards'
import type { SqlGateway } from '@/lib/db/sql-gateway'
import type { RedisGateway } from '@/lib/redis/gateway'
import { reconcile } from './publish-change'

/** Records that are looked at together. */
const PAGE = 500
/** As lib/codes/shards.ts names their keys. */
const RECORD_KEYS = '{codes:*}:link:*'
const BEFORE_FULL = ':link:'

/**
 * Has what MySQL holds take the place of every record that is newer, or of a link that it does not know: MySQL was put back to an
 * older copy. Then memory and the copies near edge processes are doubted too.
 * @returns how many there were
 * @throws when MySQL or Redis fails
 */
export async function reconcileRecords(redis: RedisGateway, db: SqlGateway, registry: Registry): Promise<number> {
  let count = 0
  for await (const held of allRecords(redis)) count += await reconcile(registry, db, held)
  // A change that nobody hears: every process takes it for one that it missed.
  if (count > 0) for (let shard = 0; shard < SHARDS; shard++) await redis.client.incr(shardKeys(shard).changes)
  return count
}

/** Every record that Redis holds, by full short URL, in pages. */
async function* allRecords({ client }: RedisGateway): AsyncGenerator<Map<string, string>, void> {
  for (const node of client instanceof Cluster ? client.nodes('master') : [client]) {
    let cursor = '0'
    do {
      const [next, keys] = await node.scan(cursor, 'MATCH', RECORD_KEYS, 'COUNT', PAGE)
      const records = await Promise.all(keys.map((key) => client.get(key).catch(unlessOfAnotherType)))
      yield new Map(
        keys.flatMap((key, i) => {
          const record = records[i]
          return record == null ? [] : [[key.slice(key.indexOf(BEFORE_FULL) + BEFORE_FULL.length), record] as const]
        }),
      )
      cursor = next
    } while (cursor !== '0')
  }
}

/** What is no record is left for who looks after Redis. */
function unlessOfAnotherType(error: Error): null {
  if (error.message.startsWith('WRONGTYPE')) return null
  throw error
}
