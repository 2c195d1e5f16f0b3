import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type FilterSettings, type RebuildProgress, rebuildFilter } from '@/lib/codes/rebuild'
import { CHANGES_CHANNEL, FilterLostError, OLDEST_RECORD, type Registry } from '@/lib/codes/registry'
import { codeScripts } from '@/lib/codes/scripts'
import { SHARDS, shardKeys } from '@/lib/codes/shards'
import type { DatabaseGateway } from '@/lib/db/gateway'
import type { RedisGateway } from '@/lib/redis/gateway'
import { RedisLock } from '@/lib/redis/lock'
import { correctRecords, publishSince } from './changes-since'
import { reconcileRecords } from './newer-records'

/** Held by the process that mends or rebuilds what Redis holds of codes. Former releases hold the same key. */
export const RECONCILER_LOCK = 'terse:keeper'
/**
 * A claim comes before its insert, and the time of a change before its commit: go back this much further, and by what clocks are
 * seen to differ. In ms.
 */
const MARGIN = 60_000
/** How often the lock that another process holds is asked for, in ms. */
const PAUSE = 100

/** What Redis holds of codes, and the truth of which it is a copy. */
export interface CodeStores {
  redis: RedisGateway
  db: DatabaseGateway
  registry: Registry
  settings: FilterSettings
  log: Logger
}

interface ShardState {
  shard: number
  /** Id of the server and its data, as the scripts know it; '' of a replica. */
  server: string
  verdict: 'ok' | 'missing' | 'doubtful' | 'replica'
  /** When all of it was last known to be there (ms); null: nobody knows. */
  lastBeat: string | null
  /** Every code was put into its filter on this very server, so that only records may be old. */
  complete: boolean
}

/** Looks at every shard, and beats for those that are whole. @throws when Redis cannot be asked */
export function shardStates(redis: RedisGateway): Promise<ShardState[]> {
  return Promise.all(
    Array.from({ length: SHARDS }, async (_, shard) => {
      const { bloom, marker } = shardKeys(shard)
      const [server, verdict, lastBeat, complete] = await redis.script(codeScripts.beat, [bloom, marker], [])
      return { shard, server, verdict, lastBeat, complete: complete === 1 }
    }),
  )
}

/**
 * Brings filter, records and freed codes up to date with MySQL, and then trusts them: the one way for a shard to be trusted,
 * for the reconciler, an admin's job and the command line. The caller holds RECONCILER_LOCK.
 * @param rebuild make the filter again even if it is whole
 * @param onProgress as for `rebuildFilter`
 * @returns what became of the rebuild, or null when there was none
 * @throws FilterLostError when Redis lost meanwhile what was added, or is a replica; else when MySQL or Redis fails
 */
export async function bringUpToDate(
  stores: CodeStores,
  rebuild: boolean,
  onProgress?: (progress: RebuildProgress) => void | Promise<void>,
): Promise<RebuildProgress | null> {
  const { redis, db, registry, settings, log } = stores
  const oldest = Date.now() - OLDEST_RECORD
  let progress: RebuildProgress | null = null
  if (rebuild || (await shardStates(redis)).some((state) => needsRebuild(state, oldest))) {
    const begun = Date.now()
    progress = await rebuildFilter(redis, db, registry, settings, onProgress)
    log.info({ codes: progress.done, ms: Date.now() - begun }, 'Bloom filter rebuilt')
    const records = await reconcileRecords(redis, db, registry)
    if (records > 0) log.warn({ records }, 'Redis held records that MySQL does not know, or knows as older: those of MySQL count')
  }
  const doubtful = (await shardStates(redis)).filter((state) => state.verdict !== 'ok')
  if (doubtful.some((state) => needsRebuild(state, oldest)))
    throw new FilterLostError('Redis lost the filter, or follows another')
  if (doubtful.length > 0) await replay(stores, doubtful, oldest)
  return progress
}

/**
 * Makes the filter again from MySQL while the app runs, once no other process is mending or rebuilding.
 * @param onWait called again and again meanwhile, and waited for; what it throws ends the waiting
 * @throws as `bringUpToDate`
 */
export async function rebuildCodes(
  stores: CodeStores,
  onProgress: (progress: RebuildProgress) => void | Promise<void>,
  onWait: () => void | Promise<void>,
): Promise<RebuildProgress> {
  const lock = new RedisLock(stores.redis, RECONCILER_LOCK)
  for (;;) {
    const held = await lock.exclusively(() => bringUpToDate(stores, true, onProgress))
    if (held?.value) return held.value
    await onWait()
    await delay(PAUSE)
  }
}

/** Of one that nobody has seen whole for long, everything is as quickly read again as what changed since. */
const needsRebuild = ({ verdict, complete, lastBeat }: ShardState, oldest: number) =>
  verdict === 'missing' || verdict === 'replica' || (verdict === 'doubtful' && !complete && Number(lastBeat ?? 0) < oldest)

/**
 * How far the clocks of Redis, which says when a shard was whole, of MySQL and of this process are apart, in ms: what was
 * changed since is found by the time that MySQL wrote beside it.
 */
async function clockDifference(redis: RedisGateway, db: DatabaseGateway): Promise<number> {
  const [[seconds, microseconds], [row]] = await Promise.all([
    redis.client.time(),
    db.rows<{ now: Date }>('SELECT UTC_TIMESTAMP(3) AS now'),
  ])
  const clocks = [Date.now(), Number(seconds) * 1_000 + Number(microseconds) / 1_000]
  if (row) clocks.push(row.now.getTime())
  return Math.max(...clocks) - Math.min(...clocks)
}

/** Tells doubtful shards what they may have missed, and trusts them. */
async function replay({ redis, db, registry, log }: CodeStores, doubtful: ShardState[], oldest: number): Promise<void> {
  const margin = MARGIN + (await clockDifference(redis, db))
  const sinceOf = (states: ShardState[]) =>
    new Date(Math.max(oldest, Math.min(...states.map(({ lastBeat }) => Number(lastBeat ?? 0)))) - margin)
  const [complete, behind] = [doubtful.filter((state) => state.complete), doubtful.filter((state) => !state.complete)]
  let told = 0
  if (behind.length > 0) {
    log.warn(
      { shards: behind.length, since: sinceOf(behind) },
      'Redis restarted, or another server leads: telling it what it may lack',
    )
    told += await publishSince(db, registry, sinceOf(behind))
  }
  if (complete.length > 0) {
    const shards = new Set(complete.map(({ shard }) => shard))
    told += await correctRecords(redis, db, registry, sinceOf(complete), shards)
  }
  for (const { shard, server, lastBeat } of doubtful) {
    const { bloom, marker, changes } = shardKeys(shard)
    await redis.bulk(codeScripts.trust, [bloom, marker, changes], [server, lastBeat ?? '', CHANGES_CHANNEL, shard])
  }
  log.info({ changes: told }, 'Redis is up to date')
}
