import type { Logger } from 'pino'
import { nextId } from '@/lib/db/id'
import type { SqlGateway } from '@/lib/db/sql-gateway'
import { Background, Loop } from '@/lib/tools/loop'

/** How often each process reads the outbox, from the beginning of one reading to that of the next, in ms. */
export const INTERVAL = 400
/** A reading that began longer ago vouches for nothing. */
const TRUSTED_FOR = 900
/** How long a writer that Redis did not hear waits, until no process trusts a reading from before its commit. */
export const OUTBOX_DELAY = 1_000
/** Rows of one reading. When there are more, every link may be among them. */
const LIMIT = 1_000

export interface OutboxRow {
  id: bigint
  fullShortUrl: string
  createdAt: Date
}

interface Reading {
  begunAt: number
  rows: readonly OutboxRow[]
  keys: ReadonlySet<string>
  /** There were more rows than were read. */
  partial: boolean
}

/** A row for the outbox, to be written in the transaction of the change itself. */
export function outboxRow(full: string): OutboxRow {
  return { id: nextId(), fullShortUrl: full, createdAt: new Date() }
}

/**
 * What Redis has not heard. Every process reads the table several times a second and does nothing else here, so that nothing
 * holds the reading up: OutboxReplay brings the rows to Redis. While the table is not empty no "no" of the filter is
 * trusted, and the keys in it are believed of MySQL alone.
 */
export class Outbox extends Background {
  private reading: Reading = { begunAt: Number.NEGATIVE_INFINITY, rows: [], keys: new Set(), partial: true }
  protected readonly loop = new Loop({
    every: INTERVAL,
    run: () => this.read(),
    onFailure: (err) => this.log.debug({ err }, 'outbox not read'),
  })

  /** @param onKey called with every key that is in the outbox: its copies in memory may be old */
  constructor(
    private readonly db: SqlGateway,
    private readonly log: Logger,
    private readonly onKey: (full: string) => void,
  ) {
    super()
  }

  private async read(): Promise<void> {
    const begunAt = performance.now()
    const rows = await this.db.rows<OutboxRow>(`SELECT id, fullShortUrl, createdAt FROM Outbox ORDER BY id LIMIT ${LIMIT}`)
    this.reading = { begunAt, rows, keys: new Set(rows.map((row) => row.fullShortUrl)), partial: rows.length === LIMIT }
    for (const key of this.reading.keys) this.onKey(key)
  }

  /** True when a reading of the last moment found nothing that Redis has not heard. */
  get isEmpty(): boolean {
    return this.isFresh(performance.now()) && this.reading.rows.length === 0
  }

  /** True when the last reading named `full`: what Redis and memory hold of it is out of date. */
  names(full: string): boolean {
    return this.reading.keys.has(full)
  }

  /**
   * True when only the links it names may have changed unheard: it was read just now, and as a whole. Also when MySQL
   * has not answered several times in a row: then nobody can be asked, and what is at hand is served.
   * @param now of performance.now()
   */
  vouches(now: number): boolean {
    return (this.isFresh(now) && !this.reading.partial) || this.db.breakerState !== 'closed'
  }

  /** True when Redis may hold an older record of `full` than MySQL, and MySQL can be asked. */
  holds(full: string): boolean {
    return this.names(full) || !this.vouches(performance.now())
  }

  /** What the last reading found, the oldest first. */
  get rows(): readonly OutboxRow[] {
    return this.reading.rows
  }

  get size(): number {
    return this.reading.keys.size
  }

  private isFresh(now: number): boolean {
    const age = now - this.reading.begunAt
    return age >= 0 && age < TRUSTED_FOR
  }
}
