import type { Figure } from '@/lib/overview/health'

/** The cards of the page that have figures which are judged. */
export const CARDS = {
  mysql: ['mysqlConnection', 'mysqlLatency', 'mysqlPool'],
  redis: ['redisConnection', 'redisLatency', 'redisMemory', 'replication'],
  clicks: ['queueDepth', 'countingDelay', 'failedBatches'],
  cache: ['hitRate'],
  filter: ['filterState', 'filterFill', 'falsePositives'],
  copies: ['copy'],
  numbers: ['handles', 'spoken', 'references', 'jobs'],
} as const satisfies Record<string, readonly Figure[]>

export type Card = keyof typeof CARDS
