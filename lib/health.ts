import { withTimeout } from '@/lib/tools/timeout'
import type { Runtime } from './runtime'

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

type Probe = (runtime: Runtime) => Promise<PlainAnswer>

/** What machines ask of a process, in every role; by path. */
export const PROBES: Record<string, Probe> = {
  /** The process is alive. */
  '/healthz': async () => json(200, { status: 'ok' }),

  /** Whether it can do its work: each dependency's state. Redis is an accelerator and may be away. */
  '/readyz': async ({ db, redis, outbox, clicks: { backlog } }) => {
    const [mysql, cache] = await Promise.all([up(db.rows('SELECT 1')), up(redis.client.ping())])
    const dependencies = {
      mysql: { up: mysql, breaker: db.breakerState },
      redis: { up: cache, breaker: redis.breakerState, unheardChanges: outbox.size },
      clicks: { waitingBatches: backlog.entries, full: backlog.isFull, deadLetters: backlog.deadLetters },
    }
    const status = !mysql ? 'unavailable' : cache && !backlog.isFull ? 'ok' : 'degraded'
    return json(mysql ? 200 : 503, { status, dependencies })
  },

  /** Prometheus. */
  '/metrics': async ({ metrics }) => ({
    status: 200,
    contentType: metrics.registry.contentType,
    body: await metrics.registry.metrics(),
  }),
}

function up(work: Promise<unknown>): Promise<boolean> {
  return withTimeout(work, 1_000, 'probe').then(
    () => true,
    () => false,
  )
}
