import { LRUCache } from 'lru-cache'
import type { Backlog } from '@/lib/clicks/backlog'
import { type FilterState, MAX_FREED, readFilter } from '@/lib/codes/fill'
import { filterSettings } from '@/lib/codes/rebuild'
import { SHARDS } from '@/lib/codes/shards'
import { copyState } from '@/lib/leaving/nightly'
import type { LinkContext } from '@/lib/links/context'
import type { Tier } from '@/lib/redirect/lookup'
import type { Outbox } from '@/lib/redirect/outbox'
import type { RedisGateway } from '@/lib/redis/gateway'
import { durationText } from '@/lib/tools/time'
import { withTimeout } from '@/lib/tools/timeout'
import { version } from '@/package.json'
import type { SystemView } from './schemas'

/** How long MySQL and Redis may take to say how they are, in ms: a page that asks again soon does not wait for them. */
const PATIENCE = 1_000
/** How long what is dear to count is kept, in ms. */
const KEPT = 3_000
/** What is known of a filter of which nothing is. */
const NO_FILTER = { implementation: '', shards: SHARDS, trustedShards: 0, codes: 0, fill: 0, estimatedError: 0, freed: 0 }
const TIERS: readonly Tier[] = ['memory', 'redis', 'filter', 'mysql', 'stale']

type Context = Pick<LinkContext, 'config' | 'db' | 'ids' | 'lookup' | 'metrics'> & {
  redis: RedisGateway
  outbox: Outbox
  clicks: { backlog: Backlog }
}

type Numbers = Pick<SystemView, 'ids'> & { filter: FilterState }

/** How everything is on which links depend, as this process sees it. */
export class System {
  /** Counted once in a few seconds, however many look. */
  private readonly kept = new LRUCache<'numbers', Numbers>({ max: 1, ttl: KEPT, fetchMethod: () => this.count() })
  private filter: FilterState | null = null
  /** What was read before MySQL went away. */
  private copies: SystemView['copies'] = null

  constructor(private readonly ctx: Context) {}

  /** Answers within about a second with what is known, whatever is down. Never throws. */
  async view(now = Date.now()): Promise<SystemView> {
    const { config, lookup, metrics, clicks } = this.ctx
    const [mysql, redis, copies, { filter, ids }] = await Promise.all([
      this.mysql(),
      this.redis(),
      this.nightlyCopies(now),
      this.kept.forceFetch('numbers'),
    ])
    const { freed, implementation, trustedShards, shards, ...bloom } = filter
    const counts = metrics.requests.countsBy('tier')
    return {
      at: new Date(now).toISOString(),
      process: {
        pid: process.pid,
        uptime: Math.round(process.uptime()),
        memory: process.memoryUsage.rss(),
        node: process.version,
        version,
      },
      mysql,
      redis,
      clicks: {
        waitingBatches: clicks.backlog.entries,
        waitingBytes: clicks.backlog.bytes,
        limitBytes: clicks.backlog.limit,
        full: clicks.backlog.isFull,
        lag: clicks.backlog.age(now),
        deadLetters: clicks.backlog.deadLetters,
      },
      cache: {
        entries: lookup.held.links,
        bytes: lookup.held.bytes,
        limitBytes: lookup.held.limit,
        hits: Object.fromEntries(TIERS.map((tier) => [tier, counts.get(tier) ?? 0])),
      },
      bloom: {
        implementation: implementation || 'none',
        // What was read before Redis went away is still shown, but nobody believes it now.
        trusted: redis.up && trustedShards === shards,
        trustedShards: redis.up ? trustedShards : 0,
        shards,
        ...bloom,
        maxCapacity: filterSettings(config).maxCapacity,
      },
      freed: { codes: freed, limit: MAX_FREED, quarantine: durationText(config.CODE_REUSE_AFTER) },
      copies,
      ids,
    }
  }

  private async mysql(): Promise<SystemView['mysql']> {
    const { db, config } = this.ctx
    const poolSize = config.DATABASE_POOL
    const inUse = db.inUse
    const answer = await timed(() => db.rows<{ version: string }>('SELECT VERSION() AS version'))
    const known = answer?.value[0]?.version ?? ''
    return { up: answer !== null, version: known, breaker: db.breakerState, latency: answer?.ms ?? null, inUse, poolSize }
  }

  private async nightlyCopies(now: number): Promise<SystemView['copies']> {
    const answer = await timed(() => copyState(this.ctx, now))
    if (!answer?.value) return this.copies
    const { to, finishedAt, bytes, nextAt, failedAt, failure } = answer.value
    this.copies = {
      ...{ to, bytes: Number(bytes), failure },
      ...{
        finishedAt: finishedAt?.toISOString() ?? null,
        failedAt: failedAt?.toISOString() ?? null,
        nextAt: nextAt.toISOString(),
      },
    }
    return this.copies
  }

  /** Of a Redis Cluster, version and memory are those of one of its nodes. */
  private async redis(): Promise<SystemView['redis']> {
    const { redis, outbox } = this.ctx
    const [ping, info] = await Promise.all([
      timed(() => redis.client.ping()),
      timed(() => Promise.all([redis.client.info('server'), redis.client.info('memory')])),
    ])
    const text = info?.value.join('\n') ?? ''
    const field = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(text)?.[1] ?? ''
    return {
      up: ping !== null,
      // Valkey tells both: the Redis that it is compatible with, and what it is.
      version: field('valkey_version') || field('redis_version'),
      breaker: redis.breakerState,
      latency: ping?.ms ?? null,
      memory: Number(field('used_memory')),
      memoryLimit: Number(field('maxmemory')),
      unheardChanges: outbox.size,
    }
  }

  private async count(): Promise<Numbers> {
    const { handles, spoken, references, jobs } = this.ctx.ids
    const settings = filterSettings(this.ctx.config)
    const [filter, ...ids] = await Promise.all([
      timed(() => readFilter(this.ctx.redis, settings)),
      ...[handles, spoken, references, jobs].map((system) => system.state()),
    ])
    this.filter = filter?.value ?? this.filter
    const { capacity, errorRate } = settings
    return { filter: this.filter ?? { capacity, errorRate, ...NO_FILTER }, ids }
  }
}

/** What came of some work and how long it took, in ms; null when it failed, or took too long. */
async function timed<T>(work: () => Promise<T>): Promise<{ value: T; ms: number } | null> {
  const begun = performance.now()
  try {
    const value = await withTimeout(work(), PATIENCE, 'a question')
    return { value, ms: Math.round((performance.now() - begun) * 10) / 10 }
  } catch {
    return null
  }
}
