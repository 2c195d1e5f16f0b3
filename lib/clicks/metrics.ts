import { Counter, type Registry } from 'prom-client'
import { FastHistogram } from '@/lib/tools/histogram'

export type ClickMetrics = ReturnType<typeof createClickMetrics>

/** What is measured of clicks on their way. Times in seconds. */
export function createClickMetrics(registry: Registry) {
  const registers = [registry]
  return {
    captured: new Counter({
      name: 'terse_clicks_captured_total',
      help: 'Clicks taken, by what keeps them: redis, spool, or lost when neither would',
      labelNames: ['to'],
      registers,
    }),
    applied: new Counter({ name: 'terse_clicks_applied_total', help: 'Clicks counted in MySQL', registers }),
    repeated: new Counter({
      name: 'terse_click_batches_repeated_total',
      help: 'Batches that arrived again and were not counted again',
      registers,
    }),
    orphaned: new Counter({
      name: 'terse_clicks_orphaned_total',
      help: 'Clicks dropped since their link is gone for good',
      registers,
    }),
    dead: new Counter({
      name: 'terse_click_batches_dead_total',
      help: 'Batches that cannot be applied and were put aside, by reason',
      labelNames: ['reason'],
      registers,
    }),
    replayed: new Counter({
      name: 'terse_click_batches_replayed_total',
      help: 'Batches brought from the spool to Redis',
      registers,
    }),
    lag: new FastHistogram<never>({
      name: 'terse_click_lag_seconds',
      help: 'From the redirect to its click being counted in MySQL',
      bounds: [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 30, 60, 600],
      registry,
    }),
  }
}
