import { Registry as MetricsRegistry } from 'prom-client'
import { expect, vi } from 'vitest'
import type { CapturedClick, ClickFacts } from '@/lib/clicks/click'
import { Consumer } from '@/lib/clicks/consumer'
import { createClickMetrics } from '@/lib/clicks/metrics'
import { ALL_PARTITIONS, ENTRY_FIELDS, GROUP, partitionKeys } from '@/lib/clicks/stream'
import type { DatabaseGateway } from '@/lib/db/gateway'
import { RedisGateway } from '@/lib/redis/gateway'
import { atEnd } from './cleanup'
import { NO_FACTS } from './counting'
import { SILENT } from './links'

/** Adds an entry to a stream of clicks. @returns its id in the stream */
export async function addEntry(redis: RedisGateway, [id, clicks]: [id: string, clicks: string], partition = 0): Promise<string> {
  const [idField, clicksField] = ENTRY_FIELDS
  return (await redis.client.xadd(partitionKeys(partition).stream, '*', idField, id, clicksField, clicks)) ?? ''
}

/** How many entries lie in the streams, and how many of them some consumer has read. */
export async function waitingEntries(redis: RedisGateway): Promise<{ entries: number; pending: number }> {
  const sum = { entries: 0, pending: 0 }
  for (const { stream } of ALL_PARTITIONS.map(partitionKeys)) {
    sum.entries += await redis.client.xlen(stream)
    // Without a group there is none.
    const pending = await redis.client.xpending(stream, GROUP).catch(() => [0])
    sum.pending += Number(pending[0])
  }
  return sum
}

/** Waits until the streams are empty. */
export const drained = (redis: RedisGateway, timeout = 10_000) =>
  vi.waitFor(async () => expect(await waitingEntries(redis)).toEqual({ entries: 0, pending: 0 }), { timeout, interval: 20 })

export interface DeadLetter {
  /** When it was put aside, in ms since 1970. */
  at: number
  reason: string
  /** Its id in the stream. */
  entry: string
  /** Its fields as they were. */
  fields: Record<string, string>
}

/** What was put aside, of all partitions. */
export async function deadLetters(redis: RedisGateway): Promise<DeadLetter[]> {
  const all = await Promise.all(ALL_PARTITIONS.map((partition) => redis.client.xrange(partitionKeys(partition).dead, '-', '+')))
  return all.flat().map(([id, list]) => {
    const pairs = list.flatMap((name, i): [string, string][] => (i % 2 === 0 ? [[name, list[i + 1] ?? '']] : []))
    const { reason = '', entry = '', ...fields } = Object.fromEntries(pairs)
    return { at: Number.parseInt(id, 10), reason, entry, fields }
  })
}

/** Facts that say where the click came from, so that a test can tell clicks apart. */
const plainFacts = (click: CapturedClick): ClickFacts => ({
  ...NO_FACTS,
  referrerUrl: click.referrer,
  userAgent: click.userAgent,
})

interface ConsumerOptions {
  enrich?: typeof plainFacts
  /** What has to be over before clicks are counted. */
  ready?: () => Promise<void>
  /** How long entries are left to the reader that took them, in ms. */
  takeoverAfter?: number
}

/** A consumer as a process of its own has it; closed at the end of the test. */
export function startConsumer(redisUrl: string, db: DatabaseGateway, options: ConsumerOptions = {}) {
  const { enrich = plainFacts, ready = async () => {}, takeoverAfter } = options
  const metrics = createClickMetrics(new MetricsRegistry())
  const redis = new RedisGateway(redisUrl)
  const enricher = { ready, enrich }
  const consumer = new Consumer({ redis, db, enricher, metrics, log: SILENT, strain: () => 0 }, takeoverAfter)
  const close = async () => {
    await consumer.close()
    redis.close()
  }
  atEnd(close)
  void redis.connected(10_000).then(() => consumer.start())
  const count = async (metric: 'applied' | 'repeated' | 'orphaned' | 'dead') =>
    (await metrics[metric].get()).values[0]?.value ?? 0
  return { close, count }
}
