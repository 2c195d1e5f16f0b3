import { randomInt } from 'node:crypto'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { Loop } from '@/lib/tools/loop'
import { withTimeout } from '@/lib/tools/timeout'
import { isUniqueViolation } from './errors'
import { idAt, NODES, SEQUENCES, takeIdsFrom } from './id'
import type { SqlGateway } from './sql-gateway'

/** How far ahead of its clock a process reserves time, in ms: for so long it makes ids without MySQL. */
const AHEAD = 60_000
/** How often it reserves more, and how soon it tries again, in ms. */
export const LEASE_INTERVAL = 5_000
const RETRY = 500
/** How long the start of a process waits for its node, in ms. */
const FIRST = 1_500

interface NodeRow {
  node: number
  /** The last millisecond, since 1970, of which somebody may have made ids with this node. */
  reservedTo: bigint | number
}

/**
 * The part of all ids that this process makes: those of one node, between two times. Both are reserved in MySQL, where every
 * other process sees them, and no part is ever reserved twice. So no two processes make the same id, whatever their clocks do,
 * how many there are, and however long one of them stood still: a node may be taken over, what was reserved with it may not.
 */
export class NodeLease {
  /** -1 before there is one. */
  node = -1
  /** How far MySQL's clock is ahead of this process's, in ms. */
  private ahead = 0
  private last = 0
  private sequence = -1
  private to = -1
  private leave = () => {}
  private renewing: Promise<void> | null = null
  private readonly loop = new Loop({ every: LEASE_INTERVAL, retry: RETRY, run: () => this.renew() })

  constructor(
    private readonly db: SqlGateway,
    private readonly clock: () => number = Date.now,
  ) {}

  /** The time by MySQL's clock, in ms since 1970: ids say when they were made to all processes alike. */
  private now(): number {
    return Math.round(this.clock() + this.ahead)
  }

  /** Has `nextId` make its ids here until `close`. Waits a moment for the node; without MySQL it comes later. */
  async start(): Promise<void> {
    this.leave = takeIdsFrom(() => this.next())
    await withTimeout(this.loop.start(), FIRST, 'a node for ids').catch(() => {})
  }

  /**
   * An id greater than all that were made here with this node before.
   * @throws TerseError 'unavailable' when nothing is reserved: MySQL was away since the start, or for a minute
   */
  next(): bigint {
    const now = this.now()
    // What is reserved is not left, however far the clock jumps; and a clock that goes back repeats nothing.
    const time = now <= this.to ? Math.max(now, this.last) : this.last
    this.sequence = time === this.last ? this.sequence + 1 : 0
    this.last = time
    if (this.sequence >= SEQUENCES) {
      this.last += 1
      this.sequence = 0
    }
    if (this.node < 0 || this.last > this.to) {
      throw new TerseError('unavailable', say('api.system.database'), { retryAfter: 2 })
    }
    return idAt(this.last, this.node, this.sequence)
  }

  /**
   * Reserves more time, or another node if this one was taken over, or MySQL no longer knows of it. One at a time.
   * @throws TerseError 'unavailable'
   */
  renew(): Promise<void> {
    this.renewing ??= this.reserve().finally(() => {
      this.renewing = null
    })
    return this.renewing
  }

  private async reserve(): Promise<void> {
    await this.readClock()
    // Asked for even where the clock went back and what is reserved lasts: of a database that was put back it may be gone.
    const to = Math.max(this.now() + AHEAD, this.to)
    if (this.node >= 0 && (await this.raise(this.node, this.to, to))) this.to = to
    else await this.acquire()
  }

  private async readClock(): Promise<void> {
    const before = this.clock()
    const [row] = await this.db.rows<{ now: Date }>('SELECT UTC_TIMESTAMP(3) AS now')
    // It was told about half way between the question and the answer.
    if (row) this.ahead = row.now.getTime() - (before + this.clock()) / 2
  }

  /** A node that nobody had before, else the one whose time is over for the longest. */
  private async acquire(): Promise<void> {
    for (;;) {
      const rows = await this.db.rows<NodeRow>('SELECT node, reservedTo FROM IdNode')
      // It may be the node that it had before: no time is used twice.
      const from = Math.max(this.now(), this.last + 1)
      const known = new Set(rows.map(({ node }) => Number(node)))
      const unknown = Array.from({ length: NODES }, (_, node) => node).filter((node) => !known.has(node))
      if (unknown.length > 0) {
        const node = unknown[randomInt(unknown.length)] ?? 0
        if (await this.insert(node, from + AHEAD)) return this.begin(node, from, from + AHEAD)
        continue
      }
      const [oldest] = rows.map((row) => ({ node: Number(row.node), to: Number(row.reservedTo) })).sort((a, b) => a.to - b.to)
      if (!oldest) continue
      const first = Math.max(from, oldest.to + 1)
      if (await this.raise(oldest.node, oldest.to, first + AHEAD)) return this.begin(oldest.node, first, first + AHEAD)
    }
  }

  /** False when another process was quicker. */
  private async insert(node: number, to: number): Promise<boolean> {
    try {
      await this.db.change('INSERT INTO IdNode (node, reservedTo) VALUES (?, ?)', node, to)
      return true
    } catch (error) {
      if (isUniqueViolation(error)) return false
      throw error
    }
  }

  /** False when another process has reserved with this node in between, or the database was put back. */
  private async raise(node: number, from: number, to: number): Promise<boolean> {
    return (await this.db.change('UPDATE IdNode SET reservedTo = ? WHERE node = ? AND reservedTo = ?', to, node, from)) === 1
  }

  private begin(node: number, from: number, to: number): void {
    this.node = node
    this.last = from
    this.sequence = -1
    this.to = to
  }

  close(): void {
    this.leave()
    void this.loop.stop()
  }
}
