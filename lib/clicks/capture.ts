import type { Logger } from 'pino'
import type { RedisGateway } from '@/lib/redis/gateway'
import type { CapturedClick } from './click'
import type { ClickMetrics } from './metrics'
import type { Spool } from './spool'
import { ENTRY_FIELDS, encodeClicks, PARTITIONS, partitionKeys, toWire, type Wire } from './stream'
import { timedId } from './timed-id'

/** How long Redis may take before the spool is written instead, in ms. */
const PATIENCE = 50
/** Clicks in one entry of the stream; a turn with more makes several. */
const MAX_BATCH = 500
/** Losses are logged together, this often at most, in ms: when there are any there are thousands. */
const LOG_INTERVAL = 1_000

interface Parts {
  /** A connection of its own: what is asked of Redis for other requests does not stand in its way. */
  redis: RedisGateway
  spool: Spool
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
  private readonly underWay = new Set<Promise<void>>()
  private loggedAt = Number.NEGATIVE_INFINITY

  constructor(private readonly parts: Parts) {}

  /** Calls `done` once the click is safe outside the process, or once it is known that it cannot be; never throws. */
  enqueue(click: CapturedClick, done: () => void): void {
    if (this.wires.length === 0) setImmediate(this.flush)
    this.wires.push(toWire(click))
    if (this.parts.fast) done()
    else this.waiting.push(done)
  }

  private readonly flush = (): void => {
    const { wires, waiting } = this
    this.wires = []
    this.waiting = []
    for (let i = 0; i < wires.length; i += MAX_BATCH) {
      const sent = this.keep(wires.slice(i, i + MAX_BATCH), waiting.slice(i, i + MAX_BATCH))
      this.underWay.add(sent)
      void sent.then(() => this.underWay.delete(sent))
    }
  }

  private async keep(wires: Wire[], waiting: (() => void)[]): Promise<void> {
    const begun = performance.now()
    const id = timedId(Date.now())
    const clicks = encodeClicks(wires)
    const where = (await this.toRedis(id, clicks)) ? 'redis' : (await this.toSpool(id, clicks)) ? 'spool' : 'lost'
    this.parts.metrics.captured.inc({ to: where }, wires.length)
    this.parts.felt(performance.now() - begun)
    for (const done of waiting) done()
  }

  private async toRedis(id: string, clicks: string): Promise<boolean> {
    if (this.parts.isFull()) return false
    this.partition = (this.partition + 1) % PARTITIONS
    const { stream } = partitionKeys(this.partition)
    const [idField, clicksField] = ENTRY_FIELDS
    try {
      await this.parts.redis.use((client) => client.xadd(stream, '*', idField, id, clicksField, clicks), PATIENCE)
      return true
    } catch {
      // It may have arrived all the same: then the spool brings it a second time, and its id tells.
      return false
    }
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
    if (this.wires.length > 0) this.flush()
    await Promise.all(this.underWay)
    await this.parts.spool.close()
  }
}
