import type { Logger } from 'pino'
import type { z } from 'zod'
import type { DatabaseGateway } from '@/lib/db/gateway'
import type { Job } from '@/lib/db/generated/client'
import { isTerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { Loop } from '@/lib/tools/loop'
import { takeJob } from './queue'
import { JobEnded, RunningJob, TurnOver } from './running-job'
import type { JobKindName } from './schemas'

/** How often a running job renews its lease, tells how far it is, and hears that it was cancelled. */
const BEAT = 500
/** How often an idle process looks for work. */
const IDLE = 1_000
/** Pause of a job that is refused for now without being told for how long, in s. */
const PAUSE = 5

/** How a kind of job is done. `Context` is the process's runtime: kinds live with what they are about. */
export interface JobKind<Context, Input> {
  /** Reads what `createJob` was given. */
  input: z.ZodType<Input>
  /** It cannot be left and gone on with, and takes no turns with others. */
  isWhole?: true
  /**
   * Does the work, row after row in a fixed order, and reports each. Begun again, at its next turn or after a crash, it is told
   * how many rows were written down, and goes on behind them; some rows may be done twice, so that must do no harm.
   * @returns 'checked': it was a dry run, and waits until it is started
   * @throws TerseError to end the whole job with its message
   */
  run(ctx: Context, job: RunningJob<Input>): Promise<unknown>
}

/** Kinds of any input, by name. */
export type JobKinds<Context> = Partial<Record<JobKindName, JobKind<Context, never>>>

/** Does jobs: in each process one at a time of those that take turns, and one of those that do not. */
export class JobRunner<Context extends { db: DatabaseGateway; log: Logger }> {
  private readonly lines: Line[]

  constructor(
    /** Asked for when there is work: the runner is a part of it. */
    private readonly context: () => Context,
    private readonly kinds: JobKinds<Context>,
  ) {
    const names = Object.keys(kinds) as JobKindName[]
    const whole = names.filter((name) => kinds[name]?.isWhole)
    const inTurns = names.filter((name) => !kinds[name]?.isWhole)
    this.lines = [this.line(inTurns, true), this.line(whole, false)]
  }

  private get ctx(): Context {
    return this.context()
  }

  private line(kinds: JobKindName[], takesTurns: boolean): Line {
    const loop = new Loop({
      every: IDLE,
      run: () => this.workOff(line),
      onFailure: (err) => this.ctx.log.warn({ err }, 'jobs wait; they go on by themselves'),
    })
    const line: Line = { kinds, takesTurns, loop, job: null }
    return line
  }

  async start(): Promise<void> {
    for (const { loop } of this.lines) loop.startLater()
  }

  /** Looks for work now: for a caller that has just queued some. */
  look(): void {
    for (const { loop } of this.lines) void loop.wake()
  }

  private async workOff(line: Line): Promise<void> {
    while (!line.loop.isStopped) {
      const row = await takeJob(this.ctx.db, line.kinds)
      if (!row) return
      // Closed in the meantime: it was taken for nobody.
      if (line.loop.isStopped) return new RunningJob(this.ctx.db, row, null).release()
      await this.run(row, line)
    }
  }

  private async run(row: Job, line: Line): Promise<void> {
    const { ctx } = this
    const kind = this.kinds[row.kind as JobKindName] as JobKind<Context, unknown> | undefined
    const input = kind?.input.safeParse(JSON.parse(row.input))
    const job = new RunningJob(ctx.db, row, input?.data, line.takesTurns ? line.kinds : [])
    line.job = job
    if (!kind || !input?.success) return job.finish('failed', say('api.job.unknown'), false)
    const beat = new Loop({ every: BEAT, run: () => job.save() })
    try {
      if ((await beat.during(async () => kind.run(ctx, job))) === 'checked') return await job.finishCheck()
      await job.finish('done', null, await this.hasFile(row.id))
    } catch (error) {
      await this.leave(job, error)
    }
  }

  /** What becomes of a job that threw. @throws `error` in an outage */
  private async leave(job: RunningJob<unknown>, error: unknown): Promise<void> {
    // What was done before it was cancelled stays, and is told.
    if (error instanceof JobEnded) return job.save()
    if (error instanceof TurnOver) return job.release()
    // Too many links were made: it goes on when there may be more.
    if (isTerseError(error) && error.code === 'rate_limited') return job.release(error.retryAfter ?? PAUSE)
    // An outage is no fault of the job: the next process goes on with it.
    if (isTerseError(error) && error.code === 'unavailable') {
      await job.release().catch(() => {})
      throw error
    }
    if (!isTerseError(error)) this.ctx.log.error({ err: error, job: job.row.number }, 'a job failed')
    await job.finish('failed', isTerseError(error) ? error.said : say('api.internal'), false)
  }

  private async hasFile(jobId: bigint): Promise<boolean> {
    return (await this.ctx.db.read((client) => client.jobFile.count({ where: { jobId }, take: 1 }))) > 0
  }

  /**
   * Takes no more work. A job under way is given back between two rows, or left to its lease: another process goes on with it.
   */
  close(): void {
    for (const { loop, job } of this.lines) {
      job?.close()
      void loop.stop()
    }
  }
}

/** Jobs of these kinds are done one at a time. */
interface Line {
  kinds: readonly JobKindName[]
  takesTurns: boolean
  loop: Loop
  job: RunningJob<unknown> | null
}
