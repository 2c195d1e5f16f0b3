import { Counter, type Registry } from 'prom-client'
import { FastHistogram } from '@/lib/tools/histogram'

export type ClickMetrics = ReturnType<typeof createClickMetrics>

/** What is measured of clicks on their way. Times in seconds. */
export function createClickMetrics(registry: Registry) {
  const counter = (name: string, help: string, labelNames: string[] = []) =>
    new Counter({ name: `terse_${name}`, help, labelNames, registers: [registry] })
  const captured = counter(
    'clicks_captured_total',
    'Clicks taken, by what keeps them: redis, spool, or lost when neither would',
    ['to'],
  )
  // An alert hears of an increase, which the first value of a series is not.
  for (const to of ['redis', 'spool', 'lost']) captured.inc({ to }, 0)
  return {
    captured,
    applied: counter('clicks_applied_total', 'Clicks counted in MySQL'),
    repeated: counter('click_batches_repeated_total', 'Batches that arrived again and were not counted again'),
    orphaned: counter('clicks_orphaned_total', 'Clicks dropped since their link is gone for good'),
    dead: counter('click_batches_dead_total', 'Batches that cannot be applied and were put aside'),
    replayed: counter('click_batches_replayed_total', 'Batches brought from the spool to Redis'),
    lag: new FastHistogram<never>({
      name: 'terse_click_lag_seconds',
      help: 'From the redirect to its click being counted in MySQL',
      bounds: [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 30, 60, 600],
      registry,
    }),
  }
}

interface Count {
  inc(by?: number): void
}

/** What the consumer tells that can be told by number alone. */
export const TOLD = ['applied', 'repeated', 'orphaned', 'dead'] as const

/** What the consumer tells; it may count in another thread than the one that is asked for metrics. */
export type CountingMetrics = Record<(typeof TOLD)[number], Count> & {
  lag: { labels(labels: Record<never, string>): { observe(seconds: number): void } }
}
