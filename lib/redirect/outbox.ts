import type { Logger } from 'pino'
import type { Registry } from '@/lib/codes/registry'
import type { DatabaseGateway } from '@/lib/db/gateway'
import { nextId } from '@/lib/db/id'
import { changeOf } from './record'
import { readRecord } from './source'

/** How often each process reads the outbox, in ms. */
const INTERVAL = 400
/** A reading that began longer ago vouches for nothing. */
const TRUSTED_FOR = 900
/** How long a writer that Redis did not hear waits, until no process trusts a reading from before its commit. */
export const OUTBOX_DELAY = 1_000
const LIMIT = 1_000

interface Reading {
  begunAt: number
  keys: ReadonlySet<string>
  /** There were more rows than were read. */
  partial: boolean
}

interface OutboxRow {
  id: bigint
  fullShortUrl: string
  createdAt: Date
}

/** A row for the outbox, to be written in the transaction of the change itself. */
export function outboxRow(full: string): OutboxRow {
  return { id: nextId(), fullShortUrl: full, createdAt: new Date() }
}

/**
 * What Redis has not heard. Every process reads the table twice a second; while it is not empty no "no" of
 * the filter is trusted, and the keys in it are not read from Redis. Whoever can reach Redis replays it.
 */
export class Outbox {
  private reading: Reading = { begunAt: Number.NEGATIVE_INFINITY, keys: new Set(), partial: true }
  private timer: NodeJS.Timeout | undefined
  private closed = false

  constructor(
    private readonly db: DatabaseGateway,
    private readonly registry: Registry,
    private readonly log: Logger,
    /** Called with every key that is or was in the outbox: its copies in memory may be old. */
    private readonly onKey: (full: string) => void,
  ) {}

  /** Reads once, then again and again until `close`. */
  async start(): Promise<void> {
    await this.tick()
  }

  /** True when a reading of the last moment found nothing that Redis has not heard. */
  get isEmpty(): boolean {
    return this.isFresh && this.reading.keys.size === 0 && !this.reading.partial
  }

  /** True when Redis may hold an older record of `full` than MySQL, as far as is known. */
  holds(full: string): boolean {
    return this.isFresh && (this.reading.partial || this.reading.keys.has(full))
  }

  get size(): number {
    return this.reading.keys.size
  }

  private get isFresh(): boolean {
    return performance.now() - this.reading.begunAt < TRUSTED_FOR
  }

  private async tick(): Promise<void> {
    try {
      await this.read()
    } catch (error) {
      this.log.debug({ err: error }, 'outbox not read')
    }
    if (!this.closed) this.timer = setTimeout(() => void this.tick(), INTERVAL)
  }

  private async read(): Promise<void> {
    const begunAt = performance.now()
    const rows = await this.db.rows<OutboxRow>(`SELECT id, fullShortUrl, createdAt FROM Outbox ORDER BY id LIMIT ${LIMIT}`)
    this.reading = { begunAt, keys: new Set(rows.map((row) => row.fullShortUrl)), partial: rows.length === LIMIT }
    for (const key of this.reading.keys) this.onKey(key)
    // A young row is most often a writer's own, which is about to remove it.
    const settled = rows.filter((row) => Date.now() - row.createdAt.getTime() > INTERVAL)
    if (settled.length > 0) await this.replay(settled)
  }

  private async replay(rows: { id: bigint; fullShortUrl: string }[]): Promise<void> {
    let done = 0
    for (const row of rows) {
      try {
        await this.replayOne(row.fullShortUrl)
      } catch {
        break // Redis is still away; the rows stay.
      }
      await this.db.change('DELETE FROM Outbox WHERE id = ?', row.id)
      done += 1
    }
    if (done > 0) this.log.info({ done, of: rows.length }, 'outbox replayed')
  }

  /** @throws when Redis did not take it */
  private async replayOne(full: string): Promise<void> {
    const record = await readRecord(this.db, full)
    if (record === null) return
    await this.registry.publish(changeOf(full, record))
  }

  close(): void {
    this.closed = true
    clearTimeout(this.timer)
  }
}
