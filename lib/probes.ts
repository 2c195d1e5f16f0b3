import { LRUCache } from 'lru-cache'
import type { ClickPipeline } from '@/lib/clicks/pipeline'
import type { SqlGateway } from '@/lib/db/sql-gateway'
import type { Metrics } from '@/lib/metrics'
import type { Outbox } from '@/lib/redirect/outbox'
import type { RedisGateway } from '@/lib/redis/gateway'
import { withTimeout } from '@/lib/tools/timeout'

export interface PlainAnswer {
  status: number
  contentType: string
  body: string
}

const json = (status: number, value: unknown): PlainAnswer => ({
  status,
  contentType: 'application/json',
  body: `${JSON.stringify(value)}\n`,
})

/** How long strangers are told what was found before, in ms. */
const REMEMBERED = 1_000

interface Dependencies {
  db: SqlGateway
  redis: RedisGateway
  outbox: Outbox
  clicks: Pick<ClickPipeline, 'backlog'>
}

/** Whether a process can do its work. Redis is an accelerator and may be away. */
export class Readiness {
  private readonly statuses = new LRUCache<'known', Promise<number>>({
    max: 1,
    ttl: REMEMBERED,
    memoMethod: async () => (await this.inDetail()).status,
  })

  constructor(private readonly dependencies: Dependencies) {}

  /** Anyone may ask as often as they like, so not each of them asks MySQL and Redis. */
  async inShort(): Promise<PlainAnswer> {
    const status = await this.statuses.memo('known')
    return json(status, { status: status === 200 ? 'ok' : 'unavailable' })
  }

  /** With each dependency's state. */
  async inDetail(): Promise<PlainAnswer> {
    const { db, redis, outbox, clicks } = this.dependencies
    const { backlog } = clicks
    const [mysql, cache] = await Promise.all([up(db.rows('SELECT 1')), up(redis.client.ping())])
    const dependencies = {
      mysql: { up: mysql, breaker: db.breakerState },
      redis: { up: cache, breaker: redis.breakerState, unheardChanges: outbox.size },
      clicks: { waitingBatches: backlog.entries, full: backlog.isFull, deadLetters: backlog.deadLetters },
    }
    const status = !mysql ? 'unavailable' : cache && !backlog.isFull ? 'ok' : 'degraded'
    return json(mysql ? 200 : 503, { status, dependencies })
  }
}

/** @param inside whether an insider asks (lib/net/insider.ts) */
type Probe = (runtime: { readiness: Readiness; metrics: Metrics }, inside: boolean) => Promise<PlainAnswer>

/** What machines ask of a process, in every role; by path. */
export const PROBES: Record<string, Probe> = {
  /** The process is alive. */
  '/healthz': async () => json(200, { status: 'ok' }),

  /** Whether it can do its work. */
  '/readyz': ({ readiness }, inside) => (inside ? readiness.inDetail() : readiness.inShort()),

  /** Prometheus. */
  '/metrics': async ({ metrics }, inside) => {
    if (!inside)
      return {
        status: 403,
        contentType: 'text/plain; charset=utf-8',
        body: 'Send METRICS_TOKEN as “Authorization: Bearer <token>”.\n',
      }
    return { status: 200, contentType: metrics.registry.contentType, body: await metrics.registry.metrics() }
  },
}

function up(work: Promise<unknown>): Promise<boolean> {
  return withTimeout(work, 1_000, 'probe').then(
    () => true,
    () => false,
  )
}
