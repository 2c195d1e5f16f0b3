import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { FastHistogram } from '@/lib/tools/histogram'

export type Metrics = ReturnType<typeof createMetrics>

/**
 * Metrics of processor, memory and event loop. Only for what lives as long as the process: they are collected, and hold the
 * registry, until it ends.
 */
export function collectProcessMetrics({ registry }: Pick<Metrics, 'registry'>): void {
  collectDefaultMetrics({ register: registry, prefix: 'terse_' })
}

/** Every metric of one runtime. Times in seconds. */
export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  return {
    registry,
    requests: new FastHistogram<'outcome' | 'tier'>({
      name: 'terse_redirect_duration_seconds',
      help: 'Time to answer a request for a code, by outcome and by where the link was found',
      bounds: [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1],
      registry,
    }),
    api: new Histogram({
      name: 'terse_api_duration_seconds',
      help: 'Time to answer an API request',
      labelNames: ['method', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
      registers,
    }),
    claims: new Counter({
      name: 'terse_claims_total',
      help: 'Codes claimed in Redis before the insert, by what it said',
      labelNames: ['result'],
      registers,
    }),
    collisions: new Counter({
      name: 'terse_code_collisions_total',
      help: 'Inserts that the unique index refused, after which another code was tried',
      registers,
    }),
    gauge(name: string, help: string, read: () => number): void {
      const gauge: Gauge = new Gauge({ name: `terse_${name}`, help, registers, collect: () => gauge.set(read()) })
    },
  }
}
