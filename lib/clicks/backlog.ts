import type { Logger } from 'pino'
import type { RedisGateway } from '@/lib/redis/gateway'
import { Loop } from '@/lib/tools/loop'
import { clickScripts } from './scripts'
import { ALL_PARTITIONS, partitionKeys } from './stream'

const INTERVAL = 1_000

/** Knows how much waits in the streams. Every process that captures asks for itself, once a second. */
export class Backlog {
  entries = 0
  bytes = 0
  deadLetters = 0
  /** Since when the oldest entry waits, in ms since 1970 by the clock of Redis; null when none does. */
  oldest: number | null = null
  private readonly loop = new Loop({ every: INTERVAL, run: () => this.measure() })
  private wasFull = false

  /** @param limit bytes that the streams may hold; from then on clicks go to the spool */
  constructor(
    private readonly redis: RedisGateway,
    readonly limit: number,
    private readonly log: Logger,
  ) {}

  get isFull(): boolean {
    return this.bytes >= this.limit
  }

  /** Room enough that the spool may be brought back. */
  get isRoomy(): boolean {
    return this.bytes < this.limit / 2
  }

  /** How long the oldest entry has waited, in s; null when none waits. It grows while Redis is away. */
  age(now = Date.now()): number | null {
    return this.oldest === null ? null : Math.max(0, now - this.oldest) / 1000
  }

  async start(): Promise<void> {
    this.loop.startLater()
  }

  /** @throws what Redis throws */
  async measure(): Promise<void> {
    const all = await Promise.all(
      ALL_PARTITIONS.map((partition) => {
        const { stream, dead } = partitionKeys(partition)
        return this.redis.bulk(clickScripts.backlog, [stream, dead], [])
      }),
    )
    const sum = (index: 0 | 1 | 2) => all.reduce((total, counts) => total + counts[index], 0)
    this.entries = sum(0)
    this.bytes = sum(1)
    this.deadLetters = sum(2)
    const waiting = all.map(([, , , since]) => since).filter((since) => since > 0)
    this.oldest = waiting.length === 0 ? null : Math.min(...waiting)
    this.alarm()
  }

  private alarm(): void {
    if (this.isFull === this.wasFull) return
    this.wasFull = this.isFull
    const facts = { entries: this.entries, bytes: this.bytes, limit: this.limit }
    if (this.isFull) this.log.error(facts, 'too many clicks wait to be counted: more go to the spool. Is the consumer running?')
    else this.log.info(facts, 'clicks go to Redis again')
  }

  close(): void {
    void this.loop.stop()
  }
}
