import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { isDataError, isUniqueViolation, mysqlErrorNumber } from '@/lib/db/errors'
import { createIdSource } from '@/lib/db/id'
import type { SqlGateway } from '@/lib/db/sql-gateway'
import { isTerseError } from '@/lib/errors'
import type { RedisGateway } from '@/lib/redis/gateway'
import { Loop } from '@/lib/tools/loop'
import { DAY } from '@/lib/tools/time'
import { withTimeout } from '@/lib/tools/timeout'
import { Turns } from '@/lib/tools/turns'
import { type Applied, applyBatches, type StoredBatch, toStored } from './apply'
import type { CapturedClick, ClickFacts } from './click'
import { byPartition, CHUNK, chunks, clicksOf, type Entry } from './entry'
import { restFor, sizeFor } from './give-way'
import type { CountingMetrics } from './metrics'
import { clickScripts } from './scripts'
import { ALL_PARTITIONS, decodeBatch, ENTRY_FIELDS, fieldOf, GROUP, partitionKeys, REFUSED, TRIES } from './stream'
import { madeAt } from './timed-id'
import { ValueLimit } from './value-limit'

/**
 * One name for all, since nothing hangs on it: an entry goes to the process that asks first, and to the next who asks once it
 * lay unsettled for long. Names of their own would be left behind by every process there ever was.
 */
const CONSUMER = 'terse'
/** Pause when there was nothing to do, in ms. */
const IDLE = 200
/** Pause after a failure, in ms. */
const BACKOFF = 1_000
/** Entries read from one partition at a time. */
const READ = 64
/** Clicks that are read before they are counted: for one transaction under way, and one that is made ready. */
const ENOUGH = 2 * CHUNK
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
const PATIENCE = 10_000
/** Ids of batches are remembered for longer (lib/clicks/sweep.ts): an older one could have been counted before. */
export const BATCH_LIFETIME = 30 * DAY

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
  private readonly valueLimit = new ValueLimit()
  private readonly nextClickId = createIdSource()
  private readonly transactions = new Turns({ atOnce: 1 })
  /** Redirects come first: until then the next transaction waits. What waits is safe. */
  private restUntil = Number.NEGATIVE_INFINITY
  private readonly stopping = new AbortController()
  /** Read, and not applied yet: MySQL is away. */
  private held: Entry[] = []
  private readonly loop = new Loop({
    every: IDLE,
    retry: BACKOFF,
    run: () => this.countAll(),
    onFailure: (err) => this.parts.log.debug({ err }, 'clicks wait to be counted'),
  })
  private tookOverAt = Number.NEGATIVE_INFINITY
  /** When entries were last read or acknowledged. */
  private progressAt = Number.NEGATIVE_INFINITY

  /** @param takeoverAfter how long an entry is left to a process that read it and went silent, in ms */
  constructor(
    private readonly parts: Parts,
    private readonly takeoverAfter = TAKEOVER_AFTER,
  ) {}

  async start(): Promise<void> {
    void this.loop.start()
  }

  /** Counts until nothing is left. @throws when Redis or MySQL fails */
  private async countAll(): Promise<void> {
    while (!this.loop.isStopped) {
      if (this.held.length === 0) this.held = await this.read()
      if (this.held.length === 0) return
      this.held = await this.apply(this.held)
      if (this.held.length > 0) throw new Error('MySQL is away, or refuses them')
    }
  }

  private async read(): Promise<Entry[]> {
    const takeOver = performance.now() - this.tookOverAt > this.takeoverAfter / TAKEOVERS
    if (takeOver) this.tookOverAt = performance.now()
    const entries = (await this.ofAll((partition) => this.readSome(partition, takeOver))).flat()
    // As long as there is more of what is small: a backlog is counted many clicks at a time.
    while (entries.length > 0 && clicksOf(entries) < ENOUGH) {
      const more = (await this.ofAll((partition) => this.readNew(partition))).flat()
      if (more.length === 0) break
      entries.push(...more)
    }
    this.progressAt = performance.now()
    return entries
  }

  private ofAll<T>(work: (partition: number) => Promise<T>): Promise<T[]> {
    return Promise.all(ALL_PARTITIONS.map(work))
  }

  private async readSome(partition: number, takeOver: boolean): Promise<Entry[]> {
    return [...(takeOver ? await this.takeOver(partition) : []), ...(await this.readNew(partition))]
  }

  private async readNew(partition: number): Promise<Entry[]> {
    const { stream } = partitionKeys(partition)
    const client = this.parts.redis.client
    try {
      const reply = (await withTimeout(
        client.xreadgroup('GROUP', GROUP, CONSUMER, 'COUNT', READ, 'STREAMS', stream, '>'),
        PATIENCE,
        'Redis',
      )) as [stream: string, entries: RawEntry[]][] | null
      return await this.decode(partition, reply?.[0]?.[1] ?? [])
    } catch (error) {
      if (!isNoGroup(error)) throw error
      // From the start: what came before the group did is to be counted too.
      await client.xgroup('CREATE', stream, GROUP, '0', 'MKSTREAM').catch((refusal: Error) => {
        if (!refusal.message.startsWith('BUSYGROUP')) throw refusal
      })
      return []
    }
  }

  /** Entries of a process that read them and was not heard of since. */
  private async takeOver(partition: number): Promise<Entry[]> {
    const { stream } = partitionKeys(partition)
    try {
      const [, entries] = (await withTimeout(
        this.parts.redis.client.xautoclaim(stream, GROUP, CONSUMER, this.takeoverAfter, '0-0', 'COUNT', READ),
        PATIENCE,
        'Redis',
      )) as [next: string, entries: (RawEntry | null)[]]
      return await this.decode(
        partition,
        entries.filter((entry) => entry !== null),
      )
    } catch (error) {
      if (isNoGroup(error)) return []
      throw error
    }
  }

  private async decode(partition: number, raw: RawEntry[]): Promise<Entry[]> {
    const entries: Entry[] = []
    for (const [id, fields] of raw) {
      try {
        const batch = decodeBatch(fieldOf(fields, ENTRY_FIELDS[0]), fieldOf(fields, ENTRY_FIELDS[1]))
        if (Date.now() - madeAt(batch.id) > BATCH_LIFETIME) throw new Error('too old to know whether it was counted')
        entries.push({ partition, id, batch })
      } catch (error) {
        await this.deadLetter({ partition, id }, (error as Error).message)
      }
    }
    return entries
  }

  /** Applies and acknowledges entries. @returns those to be tried again @throws what Redis throws */
  private async apply(entries: Entry[]): Promise<Entry[]> {
    // What is acknowledged meanwhile is in no list of Redis any more, and stays out of it.
    const keeping = new Loop({ every: this.takeoverAfter / TAKEOVERS, run: () => this.keep(entries) })
    return keeping.during(() => this.applyChunks(entries))
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
      await this.parts.redis.client.call('XCLAIM', stream, GROUP, CONSUMER, '0', ...ids, 'JUSTID')
    }
  }

  private async applyChunks(entries: Entry[]): Promise<Entry[]> {
    const left: Entry[] = []
    const waiting = chunks(entries, () => sizeFor(CHUNK, this.parts.strain()))
    const work = async () => {
      for (const chunk of waiting) {
        // While MySQL is away the rest need not be tried.
        if (left.length > 0) left.push(...chunk)
        else left.push(...(await this.applyChunk(chunk)))
      }
    }
    const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, work))
    for (const result of ended) if (result.status === 'rejected') throw result.reason
    return left
  }

  /** Applies batches when it is their turn and redirects do not need the machine more. */
  private async inTurn(batches: StoredBatch[]): Promise<Applied> {
    const rest = this.restUntil - performance.now()
    // Ends early when the process stops.
    if (rest > 0) await delay(rest, undefined, { signal: this.stopping.signal, ref: false }).catch(() => {})
    const begun = performance.now()
    const oldest = batches[0]?.clicks[0]?.at ?? 0
    const applied = await applyBatches(this.parts.db, batches, this.valueLimit, this.nextClickId)
    const ended = performance.now()
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
      if (isServerError(error)) return chunk
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
    await this.parts.redis.bulk(clickScripts.acknowledge, [stream, dead], [GROUP, reason, ...ids])
  }

  /** Ends after what is under way. */
  async close(): Promise<void> {
    this.stopping.abort()
    await this.loop.stop()
  }
}

type RawEntry = [id: string, fields: string[] | null]

const isServerError = (error: unknown) =>
  isTerseError(error) || isUniqueViolation(error) || (mysqlErrorNumber(error) !== '' && !isDataError(error))

const isNoGroup = (error: unknown) => error instanceof Error && error.message.startsWith('NOGROUP')
