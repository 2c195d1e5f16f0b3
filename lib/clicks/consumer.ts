import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { isDataError, isUniqueViolation, mysqlErrorNumber } from '@/lib/db/errors'
import { pieces } from '@/lib/db/pieces'
import type { SqlGateway } from '@/lib/db/sql-gateway'
import { isTerseError } from '@/lib/errors'
import type { RedisGateway } from '@/lib/redis/gateway'
import { Loop } from '@/lib/tools/loop'
import { Turns } from '@/lib/tools/turns'
import { type Applied, applyBatches, newCountingMemory, type StoredBatch, toStored } from './apply'
import type { CapturedClick, ClickFacts } from './click'
import { byPartition, type Entry, Room } from './entry'
import { CONSUMER, EntryReader } from './entry-reader'
import { restFor, sizeFor } from './give-way'
import type { CountingMetrics } from './metrics'
import { clickScripts } from './scripts'
import { GROUP, partitionKeys, REFUSED, TRIES } from './stream'
import { TransactionSize } from './transaction-size'

/** Pause when there was nothing to do, in ms. */
const IDLE = 200
/** Pause after a failure, in ms. */
const BACKOFF = 1_000
/** Entries named to Redis at a time: it does nothing else meanwhile, and a script knows no more than 8,000 values. */
const NAMED = 1_000
/**
 * Chunks under way: one is made ready while MySQL is at the other. Not two transactions: both have the visitors and rows of the
 * same links, so that one waits for the other, and of a busy link every third had to be done again.
 */
const AT_ONCE = 2
const TAKEOVER_AFTER = 10_000
/** Looks for entries to take over, in that time. */
const TAKEOVERS = 5
/** Times that long a consumer may be without having counted anything, before others may have what it holds. */
const STALLED = 6

interface Parts {
  /** A connection of its own, since large answers hold up what stands behind them. */
  redis: RedisGateway
  db: SqlGateway
  enricher: { ready(clicks: readonly CapturedClick[]): Promise<void>; enrich(click: CapturedClick): ClickFacts }
  metrics: CountingMetrics
  log: Logger
  /** What visitors feel, 0 to 1 (./give-way.ts). */
  strain: () => number
}

/** Brings clicks from the streams to MySQL. Any number of processes may; each entry is some process's at a time. */
export class Consumer {
  private readonly failures = new Map<string, number>()
  private readonly memory = newCountingMemory()
  private readonly transactions = new Turns({ atOnce: 1 })
  private readonly size = new TransactionSize()
  /** Redirects come first: until then the next transaction waits. What waits is safe. */
  private restUntil = Number.NEGATIVE_INFINITY
  private readonly stopping = new AbortController()
  /** Read, and not settled yet. */
  private readonly held = new Set<Entry>()
  private readonly loop = new Loop({
    every: IDLE,
    retry: BACKOFF,
    run: () => this.countAll(),
    onFailure: (err) => this.parts.log.debug({ err }, 'clicks wait to be counted'),
  })
  private readonly reader: EntryReader
  private tookOverAt = Number.NEGATIVE_INFINITY
  /** When entries were last read or acknowledged. */
  private progressAt = Number.NEGATIVE_INFINITY

  /** @param takeoverAfter how long an entry is left to a process that read it and went silent, in ms */
  constructor(
    private readonly parts: Parts,
    private readonly takeoverAfter = TAKEOVER_AFTER,
  ) {
    this.reader = new EntryReader(parts.redis, takeoverAfter, (entry, reason) => this.deadLetter(entry, reason))
  }

  async start(): Promise<void> {
    void this.loop.start()
  }

  /** Counts until nothing is left. @throws when Redis or MySQL fails */
  private async countAll(): Promise<void> {
    while (!this.loop.isStopped) {
      if (this.held.size === 0) await this.read()
      if (this.held.size === 0) return
      await this.apply()
      if (this.held.size > 0) throw new Error('MySQL is away, or refuses them')
    }
  }

  /** @returns what is held from now on, too */
  private async read(): Promise<Entry[]> {
    const takeOver = performance.now() - this.tookOverAt > this.takeoverAfter / TAKEOVERS
    if (takeOver) this.tookOverAt = performance.now()
    const entries: Entry[] = []
    const room = new Room(this.size.clicks)
    // As long as there is more of what is small: a backlog is counted many clicks at a time.
    do {
      const more = await this.reader.read(takeOver && entries.length === 0)
      if (more.length === 0) break
      for (const entry of more) {
        room.take(entry)
        this.held.add(entry)
      }
      entries.push(...more)
    } while (!room.isFull)
    this.progressAt = performance.now()
    return entries
  }

  /** Counts and acknowledges what is held, and reads more while there is a backlog. What is held afterwards is tried again. */
  private async apply(): Promise<void> {
    let isAway = false
    const waiting = this.chunks(() => !isAway && !this.loop.isStopped)
    const work = async () => {
      for await (const chunk of waiting) {
        // While MySQL is away the rest need not be tried.
        if (isAway) return
        const left = await this.applyChunk(chunk)
        isAway ||= left.length > 0
        for (const entry of chunk) this.held.delete(entry)
        for (const entry of left) this.held.add(entry)
      }
    }
    // What is acknowledged meanwhile is in no list of Redis any more, and stays out of it.
    const keeping = new Loop({ every: this.takeoverAfter / TAKEOVERS, run: () => this.keep([...this.held]) })
    const ended = await keeping.during(() => Promise.allSettled(Array.from({ length: AT_ONCE }, work)))
    for (const result of ended) if (result.status === 'rejected') throw result.reason
  }

  /**
   * What is held, in pieces for one transaction each. One is made ready while MySQL is at the one before, also of what comes
   * meanwhile: a backlog keeps MySQL busy all the time.
   * @param mayRead asked before more is read
   */
  private async *chunks(mayRead: () => boolean): AsyncGenerator<Entry[]> {
    let entries = [...this.held]
    while (entries.length > 0) {
      const room = new Room(sizeFor(this.size.clicks, this.parts.strain()))
      let end = 0
      while (end < entries.length && !room.isFull) room.take(entries[end++] as Entry)
      yield entries.slice(0, end)
      entries = entries.slice(end)
      // A piece that was not full was all that waited.
      if (entries.length === 0 && room.isFull && mayRead()) entries = await this.read()
    }
  }

  /**
   * Shows that these entries are being worked at, however many they are: others leave them alone for a while.
   * @throws what Redis throws
   */
  private async keep(entries: readonly Entry[]): Promise<void> {
    if (performance.now() - this.progressAt > STALLED * this.takeoverAfter) return
    for (const [partition, ids] of byPartition(entries)) {
      // By `call`, since the types of `xclaim` want all options or none.
      const { stream } = partitionKeys(partition)
      for (const some of pieces(ids, NAMED))
        await this.parts.redis.client.call('XCLAIM', stream, GROUP, CONSUMER, '0', ...some, 'JUSTID')
    }
  }

  /** Applies batches when it is their turn and redirects do not need the machine more. */
  private async inTurn(batches: StoredBatch[]): Promise<Applied> {
    const rest = this.restUntil - performance.now()
    // Ends early when the process stops.
    if (rest > 0) await delay(rest, undefined, { signal: this.stopping.signal, ref: false }).catch(() => {})
    const begun = performance.now()
    const oldest = batches[0]?.clicks[0]?.at ?? 0
    const applied = await applyBatches(this.parts.db, batches, this.memory)
    const ended = performance.now()
    this.size.took(applied.applied, ended - begun)
    this.restUntil = ended + restFor(ended - begun, this.parts.strain(), Date.now() - oldest)
    return applied
  }

  private async applyChunk(chunk: Entry[]): Promise<Entry[]> {
    const { enricher, log } = this.parts
    try {
      await enricher.ready(chunk.flatMap(({ batch }) => batch.clicks))
      const batches = chunk.map(({ batch }) => toStored(batch, (click) => enricher.enrich(click)))
      this.count(await this.transactions.run('', () => this.inTurn(batches)), batches)
    } catch (error) {
      log.warn({ err: error, entries: chunk.length }, 'clicks could not be counted')
      // Only an entry that is itself at fault is ever given up; a server that is away or read-only is waited for.
      if (isServerError(error)) {
        this.size.shrink()
        return chunk
      }
      return chunk.length > 1 ? await this.oneByOne(chunk) : await this.refused(chunk[0] as Entry, error as Error)
    }
    await this.acknowledge(chunk)
    return []
  }

  private async oneByOne(chunk: Entry[]): Promise<Entry[]> {
    const left: Entry[] = []
    for (const entry of chunk) left.push(...(await this.applyChunk([entry])))
    return left
  }

  private async refused(entry: Entry, error: Error): Promise<Entry[]> {
    const failures = (this.failures.get(entry.batch.id) ?? 0) + 1
    this.failures.set(entry.batch.id, failures)
    if (failures < TRIES) return [entry]
    this.failures.delete(entry.batch.id)
    await this.deadLetter(entry, `${REFUSED}${error.message.split('\n')[0]?.slice(0, 200)}`)
    return []
  }

  private count({ applied, repeated, orphaned }: Applied, batches: StoredBatch[]): void {
    const { metrics } = this.parts
    metrics.applied.inc(applied)
    metrics.repeated.inc(repeated)
    metrics.orphaned.inc(orphaned)
    const lag = metrics.lag.labels({})
    const now = Date.now()
    for (const { clicks } of batches) for (const { at } of clicks) lag.observe((now - at) / 1000)
  }

  private async acknowledge(entries: Entry[]): Promise<void> {
    for (const [partition, ids] of byPartition(entries)) await this.remove(partition, '', ids)
    this.progressAt = performance.now()
  }

  private async deadLetter({ partition, id }: Pick<Entry, 'partition' | 'id'>, reason: string): Promise<void> {
    this.parts.log.error({ partition, entry: id, reason }, 'clicks that cannot be counted were put aside')
    await this.remove(partition, reason, [id])
    this.parts.metrics.dead.inc()
  }

  private async remove(partition: number, reason: string, ids: string[]): Promise<void> {
    const { stream, dead } = partitionKeys(partition)
    for (const some of pieces(ids, NAMED))
      await this.parts.redis.bulk(clickScripts.acknowledge, [stream, dead], [GROUP, reason, ...some])
  }

  /** Ends after what is under way. */
  async close(): Promise<void> {
    this.stopping.abort()
    await this.loop.stop()
  }
}

const isServerError = (error: unknown) =>
  isTerseError(error) || isUniqueViolation(error) || (mysqlErrorNumber(error) !== '' && !isDataError(error))
