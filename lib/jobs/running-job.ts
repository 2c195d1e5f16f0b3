import { z } from 'zod'
import type { Actor } from '@/lib/actor'
import type { DatabaseGateway } from '@/lib/db/gateway'
import type { Job } from '@/lib/db/generated/client'
import type { SqlTransaction } from '@/lib/db/sql'
import type { Message } from '@/lib/i18n/message'
import { textWithin } from '@/lib/i18n/translate'
import {
  type Asked,
  cutFileParts,
  endCheck,
  endJob,
  giveBack,
  holdTurn,
  isCancelled,
  isOtherWaiting,
  LEASE,
  type NewItem,
  saveProgress,
  setTotal,
  writeFilePart,
} from './queue'
import { countsOf, type RowOutcome, shownTarget } from './row-outcome'
import type { JobItemView, JobKindName } from './schemas'
import type { RowResult } from './values'

/** Characters of a short link that its column holds. */
const WANTED = 400
/** Characters of a message that its column holds. */
const MESSAGE = 500
/** How long a turn lasts at least, in ms. */
const TURN = 500
/** Rows under way at the same time: most of the work is waiting for MySQL, whose connections others need too. */
const AT_ONCE = 4
/** A process that could not renew its lease for so long, in ms, asks whether it still has it before it does more. */
const DOUBT = LEASE / 2

/** Thrown inside a job that was cancelled, or taken over by another process. */
export class JobEnded extends Error {}
/** Thrown inside a job whose turn is over: it goes on at its next. */
export class TurnOver extends Error {}

/** What a job adds to the context of what it calls. */
export interface Turn {
  /**
   * Where a job asks: to be called first in each transaction that writes what it was asked for, and holds the job's turn until
   * that ends. Else not there.
   * @throws JobEnded when another has the turn, or the job was cancelled
   */
  requireTurn?: (tx: Asked) => Promise<void>
  /** The job that asks. */
  jobId?: bigint
}

/** What came of a row, as it is written down. */
export const itemOf = ({ target, outcome, message, result, line, link, wanted }: RowOutcome, position: number): NewItem => ({
  position,
  target: shownTarget(target),
  outcome,
  message: message ? textWithin(message, MESSAGE) : '',
  line: line ?? null,
  result: result ?? '',
  linkId: link?.id ?? null,
  version: link?.version ?? null,
  // What is longer is no short link of any system.
  wanted: wanted !== undefined && wanted.length <= WANTED ? wanted : null,
})

/** A job under way, as its kind sees it. */
export class RunningJob<Input> {
  /** Rows reported so far, those before a crash included: the position of the next. */
  done: number
  /** Where the kind goes on, in its own words, written down with the next report. Up to 500 characters. */
  resumeAt: string
  private failed: number
  private readonly counts: Partial<Record<RowResult, number>>
  private waiting: NewItem[] = []
  private ended = false
  private closing = false
  private saving: Promise<void> = Promise.resolve()
  private isSaving = false
  private readonly begunAt = performance.now()
  private turnEnds = this.begunAt + TURN
  /** When the lease was last renewed, as early as it can have been, by a clock that never goes back. */
  private renewedAt = this.begunAt

  constructor(
    private readonly db: DatabaseGateway,
    readonly row: Job,
    readonly input: Input,
    /** Those that take turns with this one; none: it is not interrupted. */
    private readonly kinds: readonly JobKindName[] = [],
  ) {
    this.done = row.done
    this.failed = row.failed
    this.counts = countsOf(row)
    this.resumeAt = row.resumeAt
  }

  /** Whose job it is. */
  get userId(): string {
    return this.row.userId
  }

  /** Its owner, as one who makes and changes links, from where the job was asked for. */
  get actor(): Actor {
    const origin = { address: this.row.client, isJob: true }
    return { account: null, ownerId: this.row.userId, scope: 'write', manageToken: null, origin }
  }

  /** The context, of which each transaction holds this turn while it writes. */
  within<Context extends object>(ctx: Context): Context & Turn {
    const requireTurn: Turn['requireTurn'] = async (tx) => {
      if (!(await holdTurn(tx, this.row))) throw new JobEnded()
    }
    return { ...ctx, requireTurn, jobId: this.row.id }
  }

  /** Tells how many rows there are once that is known. */
  async total(total: number): Promise<void> {
    await setTotal(this.db, this.row, total)
    this.row.total = total
  }

  /** Holds this turn until a transaction ends. @throws JobEnded when another has it, or the job was cancelled */
  async requireTurn(tx: SqlTransaction): Promise<void> {
    const sql = { $queryRawUnsafe: (text: string, ...values: unknown[]) => tx.rows(text, values) }
    if (!(await holdTurn(sql, this.row))) throw new JobEnded()
  }

  /**
   * What came of the next row. To be called for every row, in order.
   * @throws when the job was cancelled: let it pass
   */
  async report(target: string, outcome: JobItemView['outcome'], message?: Message): Promise<void> {
    await this.reportAll([{ target, outcome, ...(message && { message }) }])
  }

  /**
   * Deals with some rows at once, and reports each, up to one that threw: the rest is dealt with once more, and each kind sees to
   * it that this does no harm. Nobody deals with the rest of a job that was cancelled, so there all that was done is reported.
   * @throws what that one threw, or as `report`
   */
  async dealAtOnce<Row>(rows: readonly Row[], deal: (row: Row, index: number) => Promise<RowOutcome>): Promise<void> {
    const dealt = await Promise.allSettled(rows.map(deal))
    const failures = dealt.filter((result) => result.status === 'rejected')
    const failure = failures.find(({ reason }) => !(reason instanceof JobEnded)) ?? failures[0]
    const before = failure && !(failure.reason instanceof JobEnded) ? dealt.slice(0, dealt.indexOf(failure)) : dealt
    await this.reportAll(before.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])))
    if (failure) throw failure.reason
  }

  /** Whether `turn` would have others asked. */
  get isTurnOver(): boolean {
    return this.closing || performance.now() >= this.turnEnds
  }

  /**
   * As `report`, without waiting until it is written down: for rows that can be dealt with once more, or whose kind wrote down
   * what came of them itself.
   * @param areWritten with `insertItems`: then they are counted alone
   * @throws when the job was cancelled: let it pass
   */
  async tell(outcomes: readonly RowOutcome[], areWritten = false): Promise<void> {
    for (const outcome of outcomes) areWritten ? this.count(outcome) : this.note(outcome)
    if (!this.isSaving) void this.save().catch(() => {})
    await this.mayGoOn()
  }

  private async reportAll(outcomes: readonly RowOutcome[]): Promise<void> {
    for (const outcome of outcomes) this.note(outcome)
    if (this.waiting.length >= 100) await this.save()
    await this.mayGoOn()
  }

  private note(outcome: RowOutcome): void {
    this.waiting.push(itemOf(outcome, this.done))
    this.count(outcome)
  }

  private count({ outcome, result }: RowOutcome): void {
    this.done += 1
    if (outcome === 'failed') this.failed += 1
    if (result) this.counts[result] = (this.counts[result] ?? 0) + 1
  }

  /** Deals with all rows that have not been reported yet, a few at a time, and reports each. @throws as `report` and `turn` */
  async each<Row>(rows: readonly Row[], deal: (row: Row, position: number) => Promise<RowOutcome>): Promise<void> {
    await this.dealWith(rows, 0, deal)
  }

  /** The same with the rows that the job was given in parts. */
  async eachInParts<Row>(row: z.ZodType<Row>, deal: (row: Row, position: number) => Promise<RowOutcome>): Promise<void> {
    while (this.done < this.row.total) {
      const { rows, first } = await this.part(row)
      await this.dealWith(rows, first, deal)
    }
  }

  /** The part that a row is in, the next one unless told, and the position of its first row. @throws Error if it is not there */
  async part<Row>(row: z.ZodType<Row>, position = this.done): Promise<{ rows: Row[]; first: number }> {
    const [found] = await this.db.rows<{ part: number; content: string }>(
      'SELECT part, content FROM JobPart WHERE jobId = ? AND part <= ? ORDER BY part DESC LIMIT 1',
      this.row.id,
      position,
    )
    // They go when it is cancelled, which is heard here.
    if (!found) await this.save()
    if (!found) await this.mayGoOn()
    const rows = found ? z.array(row).parse(JSON.parse(found.content)) : []
    if (!found || position >= found.part + rows.length) throw new Error(`row ${position} of job ${this.row.number} is missing`)
    return { rows, first: found.part }
  }

  private async dealWith<Row>(
    rows: readonly Row[],
    first: number,
    deal: (row: Row, position: number) => Promise<RowOutcome>,
  ): Promise<void> {
    while (this.done < first + rows.length) {
      await this.mayGoOn()
      const from = this.done
      const some = rows.slice(from - first, from - first + AT_ONCE)
      await this.dealAtOnce(some, (row, index) => deal(row, from + index))
      await this.turn()
    }
  }

  /** Rows that went well and need no line of their own. @throws when the job was cancelled: let it pass */
  async advance(rows: number): Promise<void> {
    this.done += rows
    await this.mayGoOn()
  }

  /**
   * To be called where the kind can go on later from what is written down: others may have a turn now.
   * @throws when they have, or the job was cancelled: let it pass
   */
  async turn(): Promise<void> {
    if (this.closing) throw new TurnOver()
    if (performance.now() >= this.turnEnds) await this.makeWay()
  }

  /** As `turn`, however short this one was: to be called while it waits for somebody else. @throws as `turn` */
  async makeWay(): Promise<void> {
    if (this.closing) throw new TurnOver()
    await this.save()
    await this.mayGoOn()
    if (this.kinds.length > 0 && (await isOtherWaiting(this.db, this.kinds))) throw new TurnOver()
    this.turnEnds = performance.now() + TURN
  }

  /** One part of the file to download; parts follow each other from 0. @throws when the job was cancelled: let it pass */
  async writeFile(part: number, text: string): Promise<void> {
    if (!(await writeFilePart(this.db, this.row, part, text))) this.ended = true
    await this.mayGoOn()
  }

  /** Drops what an earlier turn wrote and did not come to write down: the parts from `part` on. @throws JobEnded */
  async cutFile(part: number): Promise<void> {
    await cutFileParts(this.db, this.row, part)
    await this.save()
    await this.mayGoOn()
  }

  /** Has the next turn go on there, and none before. @throws JobEnded when the job is no longer ours, TerseError 'unavailable' */
  async resumeFrom(place: string): Promise<void> {
    this.resumeAt = place
    await this.save()
    await this.mayGoOn()
  }

  /** The process stops: another is to go on as soon as this one can be left. */
  close(): void {
    this.closing = true
  }

  /** Whether it was cancelled: nobody goes on with it. */
  isCancelled(): Promise<boolean> {
    return isCancelled(this.db, this.row)
  }

  /** @throws JobEnded when the job is no longer ours, TerseError 'unavailable' when that cannot be told */
  private async mayGoOn(): Promise<void> {
    if (!this.ended && performance.now() - this.renewedAt > DOUBT) await this.save()
    if (this.ended) throw new JobEnded()
  }

  /**
   * Writes down how far the job is, also how far it was when it was cancelled, and renews the lease. Learns whether the job is
   * still ours. One at a time.
   */
  save(): Promise<void> {
    this.isSaving = true
    const saved = this.saving.then(() => this.write())
    this.saving = saved
      .catch(() => {})
      .then(() => {
        this.isSaving = false
      })
    return saved
  }

  private async write(): Promise<void> {
    const { done, failed, resumeAt, waiting: items } = this
    const counts = Object.keys(this.counts).length > 0 ? JSON.stringify(this.counts) : ''
    this.waiting = []
    const begunAt = performance.now()
    try {
      if (await saveProgress(this.db, this.row, { done, failed, resumeAt, counts, items })) this.renewedAt = begunAt
      else this.ended = true
    } catch (error) {
      this.waiting = [...items, ...this.waiting]
      throw error
    }
  }

  /** Gives the job back for anyone to go on with after `pause` seconds, where MySQL hears it; else its lease runs out. */
  async release(pause = 0): Promise<void> {
    await this.save()
    await giveBack(this.db, this.row, pause)
  }

  /** A dry run is over: it waits until it is started. */
  async finishCheck(): Promise<void> {
    await this.save()
    await endCheck(this.db, this.row)
  }

  /** The last word. Nothing is written when the job was cancelled or taken over. */
  async finish(state: 'done' | 'failed', error: Message | null, hasFile: boolean): Promise<void> {
    await this.save()
    await endJob(this.db, this.row, { state, error: error ? textWithin(error, MESSAGE) : '', hasFile })
  }
}
