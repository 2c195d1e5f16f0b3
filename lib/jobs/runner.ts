import type { Logger } from 'pino'
import type { z } from 'zod'
import type { DatabaseGateway } from '@/lib/db/gateway'
import type { Job } from '@/lib/db/generated/client'
import { isTerseError } from '@/lib/errors'
import type { JobItemView, JobKindName } from './schemas'
import { writeJobFile } from './store'

/** How long a process may be silent before another takes its job over, in ms. */
const LEASE = 10_000
/** How often a running job renews its lease, tells how far it is, and hears that it was cancelled. */
const BEAT = 500
/** How often an idle process looks for work. */
const IDLE = 1_000

/** Thrown inside a job that was cancelled, or taken over by another process. */
class JobEnded extends Error {}

/** How a kind of job is done. `Context` is the process's runtime: kinds live with what they are about. */
export interface JobKind<Context, Input> {
  /** Reads what `createJob` was given. */
  input: z.ZodType<Input>
  /**
   * Does the work, row after row in a fixed order, and reports each. Begun again after a crash it is told how many rows
   * were written down, and goes on behind them; the rows of the last half second may be done twice, so that must do no harm.
   * @throws TerseError to end the whole job with its message
   */
  run(ctx: Context, job: RunningJob<Input>): Promise<void>
}

/** What came of one row. */
export interface RowOutcome {
  /** What the row is about, for a person: a short URL, a host. */
  target: string
  outcome: JobItemView['outcome']
  message?: string
}

/** What is told of a row that could not be dealt with. @throws `error` where that is no fault of the row's, as in an outage */
export function failedRow(target: string, error: unknown): RowOutcome {
  if (!isTerseError(error) || error.code === 'unavailable') throw error
  return { target, outcome: 'failed', message: error.message }
}

/** Rows under way at the same time: most of the work is waiting for MySQL, whose connections others need too. */
const AT_ONCE = 4

/** Kinds of any input, by name. */
export type JobKinds<Context> = Partial<Record<JobKindName, JobKind<Context, never>>>

/** A job under way, as its kind sees it. */
export class RunningJob<Input> {
  /** Rows reported so far, those before a crash included: the position of the next. */
  done: number
  private failed: number
  private waiting: { position: number; target: string; outcome: string; message: string }[] = []
  private ended = false
  private saving: Promise<void> = Promise.resolve()

  constructor(
    private readonly db: DatabaseGateway,
    readonly row: Job,
    readonly input: Input,
  ) {
    this.done = row.done
    this.failed = row.failed
  }

  /** Whose job it is. */
  get userId(): string {
    return this.row.userId
  }

  /** Tells how many rows there are once that is known. */
  async total(total: number): Promise<void> {
    await this.db.write((client) => client.job.updateMany({ where: { id: this.row.id }, data: { total } }))
  }

  /**
   * What came of the next row. To be called for every row, in order.
   * @throws when the job was cancelled: let it pass
   */
  async report(target: string, outcome: JobItemView['outcome'], message = ''): Promise<void> {
    this.waiting.push({ position: this.done, target: target.slice(0, 400), outcome, message: message.slice(0, 500) })
    this.count(1, outcome === 'failed' ? 1 : 0)
    if (this.waiting.length >= 100) await this.save()
    if (this.ended) throw new JobEnded()
  }

  /** Deals with all rows that have not been reported yet, a few at a time, and reports each. @throws as `report` */
  async each<Row>(rows: readonly Row[], deal: (row: Row, position: number) => Promise<RowOutcome>): Promise<void> {
    while (this.done < rows.length) {
      const first = this.done
      const outcomes = await Promise.all(rows.slice(first, first + AT_ONCE).map((row, index) => deal(row, first + index)))
      for (const { target, outcome, message } of outcomes) await this.report(target, outcome, message)
    }
  }

  /** Rows that went well and need no line of their own. @throws when the job was cancelled: let it pass */
  async advance(rows: number): Promise<void> {
    this.count(rows, 0)
    if (this.ended) throw new JobEnded()
  }

  /** One part of the file to download; parts follow each other from 0. */
  writeFile(part: number, text: string): Promise<void> {
    return writeJobFile({ db: this.db }, this.row.id, part, text)
  }

  private count(done: number, failed: number): void {
    this.done += done
    this.failed += failed
  }

  /** Writes down how far the job is, and renews the lease. Learns whether the job is still ours. One at a time. */
  save(): Promise<void> {
    const saved = this.saving.then(() => this.write())
    this.saving = saved.catch(() => {})
    return saved
  }

  private async write(): Promise<void> {
    if (this.ended) return
    const items = this.waiting
    this.waiting = []
    const { id, leaseUntil } = this.row
    const next = new Date(Math.max(Date.now() + LEASE, (leaseUntil?.getTime() ?? 0) + 1))
    const progress = { done: this.done, failed: this.failed, leaseUntil: next }
    const ours = await this.db.write((client) =>
      client.$transaction(async (tx) => {
        const { count } = await tx.job.updateMany({ where: { id, state: 'running', leaseUntil }, data: progress })
        if (count === 1)
          await tx.jobItem.createMany({ data: items.map((item) => ({ jobId: id, ...item })), skipDuplicates: true })
        return count === 1
      }),
    )
    if (ours) this.row.leaseUntil = next
    else this.ended = true
  }

  /** Gives the job back for anyone to go on with, where MySQL hears it; else its lease runs out. */
  async release(): Promise<void> {
    await this.save()
    const { id, leaseUntil } = this.row
    const over = { leaseUntil: new Date() }
    await this.db.write((client) => client.job.updateMany({ where: { id, state: 'running', leaseUntil }, data: over }))
  }

  /** The last word. Nothing is written when the job was cancelled or taken over. */
  async finish(state: 'done' | 'failed', error: string, hasFile: boolean): Promise<void> {
    await this.save()
    await this.db.write((client) =>
      client.job.updateMany({
        where: { id: this.row.id, state: 'running', leaseUntil: this.row.leaseUntil },
        data: { state, error: error.slice(0, 500), result: hasFile ? 'file' : '', finishedAt: new Date(), leaseUntil: null },
      }),
    )
  }
}

/** Does jobs, one at a time in each process. Any number of processes share the queue. */
export class JobRunner<Context extends { db: DatabaseGateway; log: Logger }> {
  private timer: NodeJS.Timeout | undefined
  private running: Promise<void> | null = null
  private closed = false

  constructor(
    /** Asked for when there is work: the runner is a part of it. */
    private readonly context: () => Context,
    private readonly kinds: JobKinds<Context>,
  ) {}

  private get ctx(): Context {
    return this.context()
  }

  async start(): Promise<void> {
    this.timer = setInterval(() => this.look(), IDLE)
    this.timer.unref()
  }

  /** Looks for work now: for whoever has just queued some. */
  look(): void {
    if (this.running || this.closed) return
    this.running = this.workOff()
      .catch((error: unknown) => this.ctx.log.warn({ err: error }, 'jobs wait; they go on by themselves'))
      .finally(() => {
        this.running = null
      })
  }

  private async workOff(): Promise<void> {
    while (!this.closed) {
      const row = await this.take()
      if (!row) return
      // Closed in the meantime: it was taken for nobody.
      if (this.closed) return new RunningJob(this.ctx.db, row, null).release()
      await this.run(row)
    }
  }

  /** The oldest job that nobody works on becomes ours, or null. */
  private async take(now = Date.now()): Promise<Job | null> {
    const { db } = this.ctx
    const free = { OR: [{ state: 'queued' }, { state: 'running', leaseUntil: { lt: new Date(now) } }] }
    const row = await db.read((client) => client.job.findFirst({ where: free, orderBy: { id: 'asc' } }))
    if (!row) return null
    const mine = { state: 'running', startedAt: row.startedAt ?? new Date(now), leaseUntil: new Date(now + LEASE) }
    const { count } = await db.write((client) =>
      client.job.updateMany({ where: { id: row.id, state: row.state, leaseUntil: row.leaseUntil }, data: mine }),
    )
    // Another process was quicker: there may be more to do.
    return count === 1 ? { ...row, ...mine } : this.take(now)
  }

  private async run(row: Job): Promise<void> {
    const { ctx } = this
    const kind = this.kinds[row.kind as JobKindName] as JobKind<Context, unknown> | undefined
    const input = kind?.input.safeParse(JSON.parse(row.input))
    const job = new RunningJob(ctx.db, row, input?.data)
    if (!kind || !input?.success) return job.finish('failed', 'This release does not know how to do this.', false)
    const beat = setInterval(() => void job.save().catch(() => {}), BEAT)
    beat.unref()
    try {
      await kind.run(ctx, job)
      clearInterval(beat)
      await job.finish('done', '', await this.hasFile(row.id))
    } catch (error) {
      clearInterval(beat)
      if (error instanceof JobEnded) return
      // An outage is no fault of the job: whoever comes next goes on with it.
      if (isTerseError(error) && error.code === 'unavailable') {
        await job.release().catch(() => {})
        throw error
      }
      if (!isTerseError(error)) ctx.log.error({ err: error, job: row.number }, 'a job failed')
      await job.finish('failed', isTerseError(error) ? error.message : 'Something went wrong here. It was logged.', false)
    }
  }

  private async hasFile(jobId: bigint): Promise<boolean> {
    return (await this.ctx.db.read((client) => client.jobFile.count({ where: { jobId }, take: 1 }))) > 0
  }

  /** Takes no more work. A job under way is left to its lease: another process goes on with it. */
  close(): void {
    this.closed = true
    clearInterval(this.timer)
  }
}
