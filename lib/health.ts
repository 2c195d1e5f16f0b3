import { withTimeout } from '@/lib/tools/timeout'
import type { RedirectRuntime } from './redirect-runtime'

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

/** @param inside whether an insider asks (lib/net/insider.ts) */
type Probe = (runtime: RedirectRuntime, inside: boolean) => Promise<PlainAnswer>

/** How long strangers are told what was found before, in ms. */
const REMEMBERED = 1_000

const remembered = new WeakMap<RedirectRuntime, { at: number; status: Promise<number> }>()

/** What machines ask of a process, in every role; by path. */
export const PROBES: Record<string, Probe> = {
  /** The process is alive. */
  '/healthz': async () => json(200, { status: 'ok' }),

  /** Whether it can do its work. Each dependency's state is for insiders. Redis is an accelerator and may be away. */
  '/readyz': async (runtime, inside) => {
    if (inside) return stateOf(runtime)
    // Anyone may ask as often as they like, so not each of them asks MySQL and Redis.
    let known = remembered.get(runtime)
    if (!known || performance.now() - known.at > REMEMBERED) {
      known = { at: performance.now(), status: stateOf(runtime).then(({ status }) => status) }
      remembered.set(runtime, known)
    }
    const status = await known.status
    return json(status, { status: status === 200 ? 'ok' : 'unavailable' })
  },

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

async function stateOf({ db, redis, outbox, clicks: { backlog } }: RedirectRuntime): Promise<PlainAnswer> {
  const [mysql, cache] = await Promise.all([up(db.rows('SELECT 1')), up(redis.client.ping())])
  const dependencies = {
    mysql: { up: mysql, breaker: db.breakerState },
    redis: { up: cache, breaker: redis.breakerState, unheardChanges: outbox.size },
    clicks: { waitingBatches: backlog.entries, full: backlog.isFull, deadLetters: backlog.deadLetters },
  }
  const status = !mysql ? 'unavailable' : cache && !backlog.isFull ? 'ok' : 'degraded'
  return json(mysql ? 200 : 503, { status, dependencies })
}

function up(work: Promise<unknown>): Promise<boolean> {
  return withTimeout(work, 1_000, 'probe').then(
    () => true,
    () => false,
  )
}
