import type { Logger } from 'pino'
import { type FilterSettings, rebuildFilter } from '@/lib/codes/rebuild'
import type { Registry } from '@/lib/codes/registry'
import { SHARDS, shardKeys } from '@/lib/codes/shards'
import { inBatches } from '@/lib/db/batches'
import type { DatabaseGateway } from '@/lib/db/gateway'
import type { RedisGateway } from '@/lib/redis/gateway'
import { Lock } from '@/lib/redis/lock'
import { type CachedRecord, changeOf, RECORD_COLUMNS, toRecord, toTombstone } from './record'

/** Held by whoever mends or rebuilds what Redis holds of codes. */
export const KEEPER_LOCK = 'terse:keeper'
const INTERVAL = 1_000
/** Clocks of machines differ, and a claim comes before its insert: go back this much further, in ms. */
const MARGIN = 60_000
const PAGE = { orderBy: { id: 'asc' }, take: 500 } as const

interface ShardState {
  shard: number
  runId: string
  verdict: 'ok' | 'missing' | 'restarted'
  lastBeat: number
}

/**
 * Keeps Redis worth believing: beats for the shards that are whole, replays what a restart may have lost,
 * rebuilds the filter when it is gone. One process at a time does the latter two.
 */
export class Keeper {
  private timer: NodeJS.Timeout | undefined
  private closed = false
  private readonly lock: Lock

  constructor(
    private readonly redis: RedisGateway,
    private readonly db: DatabaseGateway,
    private readonly registry: Registry,
    private readonly settings: FilterSettings,
    private readonly log: Logger,
  ) {
    this.lock = new Lock(redis, KEEPER_LOCK)
  }

  async start(): Promise<void> {
    try {
      await this.check()
    } catch (error) {
      this.log.debug({ err: error }, 'keeper: Redis or MySQL away')
    }
    if (!this.closed) this.timer = setTimeout(() => void this.start(), INTERVAL)
  }

  /** Looks once, and mends what is wrong. @throws when MySQL or Redis fails */
  async check(): Promise<void> {
    const states = await this.beat()
    if (states.every((state) => state.verdict === 'ok')) return
    await this.lock.exclusively(async () => {
      // First what a restart may have left old, since a rebuild would declare it whole.
      const restarted = states.filter((state) => state.verdict === 'restarted')
      if (restarted.length > 0) await this.resync(restarted)
      if (states.some((state) => state.verdict === 'missing')) await this.rebuild()
    })
  }

  private beat(): Promise<ShardState[]> {
    return Promise.all(
      Array.from({ length: SHARDS }, async (_, shard) => {
        const { bloom, marker } = shardKeys(shard)
        const [runId, verdict, lastBeat] = await this.redis.script('beat', [bloom, marker], [])
        return { shard, runId, verdict, lastBeat: Number(lastBeat ?? 0) }
      }),
    )
  }

  private async rebuild(): Promise<void> {
    const begun = Date.now()
    this.log.info('no Bloom filter: building it from MySQL')
    const { done } = await rebuildFilter(this.redis, this.db, this.registry, this.settings)
    this.log.info({ codes: done, ms: Date.now() - begun }, 'Bloom filter rebuilt')
  }

  /** Redis restarted: whatever changed since its last beat may be lost there. */
  private async resync(states: ShardState[]): Promise<void> {
    const since = new Date(Math.min(...states.map((state) => state.lastBeat)) - MARGIN)
    this.log.warn({ since }, 'Redis restarted: replaying what it may have lost')
    const links = await this.replayLinks(since)
    const deleted = await this.replayDeleted(since)
    for (const { shard, runId } of states) {
      const { bloom, marker } = shardKeys(shard)
      await this.redis.bulk('confirm', [bloom, marker], [runId])
    }
    this.log.info({ links, deleted }, 'Redis is up to date')
  }

  private async replayLinks(since: Date): Promise<number> {
    const select = { ...RECORD_COLUMNS, fullShortUrl: true } as const
    const batches = inBatches(-1n, (after) =>
      this.db.client.link.findMany({ where: { updatedAt: { gte: since }, id: { gt: after } }, ...PAGE, select }),
    )
    let count = 0
    for await (const { rows } of batches) count += await this.publishAll(rows, toRecord)
    return count
  }

  private async replayDeleted(since: Date): Promise<number> {
    const select = { id: true, fullShortUrl: true, version: true, deletedAt: true } as const
    const batches = inBatches(-1n, (after) =>
      this.db.client.deletedLink.findMany({ where: { deletedAt: { gte: since }, id: { gt: after } }, ...PAGE, select }),
    )
    let count = 0
    for await (const { rows } of batches) count += await this.publishAll(rows, toTombstone)
    return count
  }

  private async publishAll<Row extends { fullShortUrl: string }>(
    rows: Row[],
    recordOf: (row: Row) => CachedRecord,
  ): Promise<number> {
    await Promise.all(rows.map((row) => this.registry.publish(changeOf(row.fullShortUrl, recordOf(row)))))
    return rows.length
  }

  close(): void {
    this.closed = true
    clearTimeout(this.timer)
  }
}
