import type { Logger } from 'pino'
import type { Config } from '@/lib/config'
import type { SqlGateway } from '@/lib/db/sql-gateway'
import { RedisGateway } from '@/lib/redis/gateway'
import { Consumer } from './consumer'
import { createEnricher } from './enrich/enricher'
import type { CountingMetrics } from './metrics'

/** Brings clicks from Redis to MySQL, wherever it runs. */
export interface Counting {
  start(): Promise<void>
  /** The redirects of one turn waited this long for their clicks to be safe, in ms: counting gives way when that grows. */
  felt?(ms: number): void
  /** Ends after what is under way. */
  close(): Promise<void>
}

export interface CountingParts {
  config: Config
  db: SqlGateway
  metrics: CountingMetrics
  log: Logger
  /** What visitors feel, 0 to 1. */
  strain: () => number
}

/** Counts in this thread. */
export function countHere({ config, ...parts }: CountingParts): Counting {
  const redis = new RedisGateway(config.REDIS_URL)
  const enricher = createEnricher({
    geoDatabase: config.GEO_DATABASE,
    warn: (message, err) => parts.log.warn({ err }, message),
  })
  const consumer = new Consumer({ redis, enricher, ...parts })
  return {
    start: () => consumer.start(),
    async close() {
      await consumer.close()
      redis.close()
    },
  }
}
