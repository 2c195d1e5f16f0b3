import type { Logger } from 'pino'
import type { RedisGateway } from '@/lib/redis/gateway'
import { timedId } from '@/lib/tools/timed-id'
import { addEntries, TooFewReplicas } from './add-entries'
import type { CapturedClick } from './click'
import type { ClickMetrics } from './metrics'
import type { Spool } from './spool'
import { ENTRY_FIELDS, encodeClicks, PARTITIONS, toWire, type Wire } from './stream'

/** How long Redis may take before the spool is written instead, in ms. */
export const PATIENCE = 50
/** How much of that replicas may take: what Redis then says of them is still heard. */
const REPLICA_PATIENCE = 40
/** Clicks in one entry of the stream; a turn with more makes several. */
const MAX_BATCH = 500
/** Losses are logged together, this often at most, in ms: when there are any there are thousands. */
const LOG_INTERVAL = 1_000

interface Parts {
  /** A connection of its own: what is asked of Redis for other requests does not stand in its way. */
  redis: RedisGateway
  spool: Spool
  /** How many replicas of Redis must have a click. */
  replicas: number
  /** The stream holds as much as it may. */
  isFull: () => boolean
  metrics: ClickMetrics
  log: Logger
  /** Answer first, keep the click after. */
  fast: boolean
  /** Hears how long the clicks of each turn took to be safe, in ms. */
  felt: (ms: number) => void
}

/**
 * Takes clicks from the lane. All of one turn of the event loop go to Redis in one entry, and those who wait are
 * answered when Redis has it, else the spool (docs/decisions/0009-clicks.md).
 */
export class Capture {
  private wires: Wire[] = []
  private waiting: (() => void)[] = []
  private partition = Math.floor(Math.random() * PARTITIONS)
  private readonly underWay = new Map<Promise<void>, number>()
  private loggedAt = Number.NEGATIVE_INFINITY
  private hasReplicas = true

  constructor(private readonly parts: Parts) {}

  /** Calls `done` once the click is safe outside the process, or once it is known that it cannot be; never throws. */
  enqueue(click: CapturedClick, done: () => void): void {
    if (this.wires.length === 0) setImmediate(this.flush)
    this.wires.push(toWire(click))
    if (this.parts.fast) done()
    else this.waiting.push(done)
  }

  private readonly flush = (): void => {
    while (this.wires.length > 0) {
      const partition = this.nextPartition()
      if (partition === null) return
      const sent = this.keep(partition, this.wires.splice(0, MAX_BATCH), this.waiting.splice(0, MAX_BATCH))
      this.underWay.set(sent, partition)
      void sent.then(() => {
        this.underWay.delete(sent)
        if (this.parts.replicas > 0) this.flush()
      })
    }
  }

  /**
   * Partitions take turns. While replicas are waited for, one batch is under way to each and the clicks of later turns gather:
   * Redis waits for one batch of a connection after the other.
   * @returns null when all are taken
   */
  private nextPartition(): number | null {
    const taken = this.parts.replicas > 0 ? [...this.underWay.values()] : []
    for (let i = 0; i < PARTITIONS; i++) {
      this.partition = (this.partition + 1) % PARTITIONS
      if (!taken.includes(this.partition)) return this.partition
    }
    return null
  }

  private async keep(partition: number, wires: Wire[], waiting: (() => void)[]): Promise<void> {
    const begun = performance.now()
    const id = timedId(Date.now())
    const clicks = encodeClicks(wires)
    const where = (await this.toRedis(partition, id, clicks)) ? 'redis' : (await this.toSpool(id, clicks)) ? 'spool' : 'lost'
    this.parts.metrics.captured.inc({ to: where }, wires.length)
    this.parts.felt(performance.now() - begun)
    for (const done of waiting) done()
  }

  private async toRedis(partition: number, id: string, clicks: string): Promise<boolean> {
    const { isFull, redis, replicas } = this.parts
    if (isFull()) return false
    const [idField, clicksField] = ENTRY_FIELDS
    const entry = [idField, id, clicksField, clicks]
    try {
      await redis.use((client) => addEntries(client, partition, [entry], { replicas, patience: REPLICA_PATIENCE }), PATIENCE)
      this.haveReplicas()
      return true
    } catch (error) {
      this.missReplicas(error)
      // It may have arrived all the same: then the spool brings it a second time, and its id tells.
      return false
    }
  }

  /** Says once that replicas are missing: Redis itself looks well. */
  private missReplicas(error: unknown): void {
    if (!(error instanceof TooFewReplicas) || !this.hasReplicas) return
    this.hasReplicas = false
    this.parts.log.warn({ err: error }, 'clicks go to the spool: fewer replicas of Redis than CLICK_REPLICAS have them')
  }

  private haveReplicas(): void {
    if (this.hasReplicas) return
    this.hasReplicas = true
    this.parts.log.info('as many replicas of Redis as CLICK_REPLICAS have clicks again')
  }

  private async toSpool(id: string, clicks: string): Promise<boolean> {
    try {
      await this.parts.spool.append(`${id} ${clicks}`)
      return true
    } catch (error) {
      this.lost(error)
      return false
    }
  }

  private lost(error: unknown): void {
    if (performance.now() - this.loggedAt < LOG_INTERVAL) return
    this.loggedAt = performance.now()
    this.parts.log.error({ err: error }, 'clicks are being lost: neither Redis nor the spool takes them')
  }

  /** Resolves once all that was taken is kept. */
  async close(): Promise<void> {
    do {
      this.flush()
      await Promise.all(this.underWay.keys())
    } while (this.wires.length > 0 || this.underWay.size > 0)
    await this.parts.spool.close()
  }
}
