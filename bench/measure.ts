import type { Load } from './loads'
import { answersOf, drained } from './metrics'
import { type Paced, paced } from './paced'
import type { ServerProcess } from './processes'
import { allOf, combine, NONE, type Processor, processorTime, since } from './processor'
import type { World } from './world'
import { type Measured, type Script, wrk } from './wrk'

/** A server under one load, to be held against the control. */
export interface Subject {
  app: ServerProcess
  load: Load
  /** What every answer has to be: as the app's own metrics name the outcome. */
  expects: 'redirect' | 'not-found'
  /** It counts its clicks too: what is left of them after a run is waited for, and belongs to what a request costs. */
  counts?: boolean
}

/** A run and the processor time that it took. */
interface Run extends Measured {
  processor: Processor
}

interface Round {
  run: Run
  control: [before: Run, after: Run]
  /** Requests a second, as a share of the mean of both controls. */
  ratio: number
}

/** Processor time for each request, in µs, and as a multiple of the control's. */
export interface Cost {
  each: Processor
  control: Processor
  /** The redirecting thread to that of the control, and everything to everything. */
  thread: number
  all: number
}

export interface Comparison {
  /** Medians over the rounds. */
  rate: number
  p50: number
  p99: number
  ratio: number
  controlRate: number
  cost: Cost
  /** At 70 % of the rate. */
  paced: Paced
  rounds: Round[]
  /** Answers of the app, warm-up included, by `outcome/tier`. */
  answers: Record<string, number>
  /** The share of memory before the measurement, window by window. */
  warmUp: number[]
  /** Answers other than expected, and connections that failed. */
  wrong: number
}

/** What of the highest rate a steady load is made of. */
const STEADY = 0.7
const STATUS = { redirect: 302, 'not-found': 404 }

/** A subject while it is measured: each request asks for what follows the one before. */
class Measurement {
  readonly rounds: Round[] = []
  warmUp: number[] = []
  private asked = 0

  constructor(
    private readonly world: World,
    private readonly subject: Subject,
  ) {}

  /** Until the share of memory changes by less than a point from one window to the next. */
  async settle(): Promise<void> {
    const { app } = this.subject
    const shares: number[] = []
    for (let before = await answersOf(app); shares.length < MOST_WINDOWS; ) {
      await this.ask(app, this.world.plan.window)
      const after = await answersOf(app)
      shares.push(shareOfMemory(difference(before, after)))
      before = after
      const [previous = Number.NaN, now = Number.NaN] = shares.slice(-2)
      if (shares.length > 1 && Math.abs(now - previous) < SETTLED) break
    }
    this.warmUp = shares
    await this.drain()
  }

  /** @param last run of the control, unless it is long ago @returns the next */
  async round(last: Run | null): Promise<Run> {
    const { app } = this.subject
    const { control, plan } = this.world
    const first = last ?? (await this.ask(control, plan.control))
    // What is kept in memory ages while the control is measured: bring it back to where it stands under load.
    await this.ask(app, plan.leadIn)
    await this.drain()
    const run = await this.ask(app, plan.seconds)
    await this.drain(run)
    const second = await this.ask(control, plan.control)
    this.rounds.push({ run, control: [first, second], ratio: run.rate / ((first.rate + second.rate) / 2) })
    return second
  }

  async steady(): Promise<Paced> {
    const { app, load, expects } = this.subject
    const rate = STEADY * median(this.rounds.map(({ run }) => run.rate))
    const { paceSeconds: seconds, leadIn } = this.world.plan
    const result = await paced(app.origin, load, { rate, seconds, leadIn, status: STATUS[expects], from: this.asked })
    this.asked += result.sent
    await this.drain()
    return result
  }

  private async ask(server: ServerProcess, seconds: number): Promise<Run> {
    const { app, load, counts = false } = this.subject
    const run = await runOf(this.world, server, load.script(this.asked), seconds)
    if (server !== app) return run
    this.asked += run.requests
    // From CLICK_STREAM_MB on, clicks would go to the spool, which is another case.
    if (!counts) await this.world.emptyStreams()
    return run
  }

  /** Waits for what is still to be counted. @param run whose cost that is */
  private async drain(run?: Run): Promise<void> {
    const { app, counts = false } = this.subject
    if (!counts) return
    const before = processorTime(app.pid, this.world.backing)
    await drained(app)
    const spent = { ...since(before, processorTime(app.pid, this.world.backing)), redirecting: 0 }
    if (run) run.processor = combine(run.processor, spent, (a, b) => a + b)
  }
}

/** Of the share of memory, from one window to the next. */
const SETTLED = 0.01
const MOST_WINDOWS = 10

/**
 * Measures each subject in turn between two runs of the control, round after round, since a machine is not
 * equally fast from one minute to the next. The control is sent the very same requests.
 */
export async function compare(world: World, subjects: Subject[]): Promise<Comparison[]> {
  const before = await Promise.all(subjects.map(({ app }) => answersOf(app)))
  const measurements = subjects.map((subject) => new Measurement(world, subject))
  for (const measurement of measurements) await measurement.settle()
  let last: Run | null = null
  for (let round = 1; round <= world.plan.rounds; round++) {
    for (const measurement of measurements) last = await measurement.round(last)
  }
  const comparisons: Comparison[] = []
  for (const [index, subject] of subjects.entries()) {
    const measurement = measurements[index] as Measurement
    const steady = await measurement.steady()
    const answers = difference(before[index] ?? {}, await answersOf(subject.app))
    comparisons.push(summary(subject, measurement, steady, answers))
  }
  return comparisons
}

function summary(
  { expects }: Subject,
  { rounds, warmUp }: Measurement,
  steady: Paced,
  answers: Record<string, number>,
): Comparison {
  const of = (pick: (round: Round) => number) => median(rounds.map(pick))
  const unexpected = Object.entries(answers).filter(([key]) => !key.startsWith(`${expects}/`))
  // The app's own count knows which answers were redirects; the load generator's, which never came.
  const failed = rounds.map(({ run }) => run.socketErrors + (expects === 'redirect' ? run.refused : run.requests - run.refused))
  return {
    rate: of(({ run }) => run.rate),
    p50: of(({ run }) => run.p50),
    p99: of(({ run }) => run.p99),
    ratio: of(({ ratio }) => ratio),
    controlRate: of(({ control: [first, second] }) => (first.rate + second.rate) / 2),
    cost: costOf(
      rounds.map(({ run }) => run),
      rounds.flatMap(({ control }) => control),
    ),
    paced: steady,
    rounds,
    answers,
    warmUp,
    wrong: sum(unexpected.map(([, count]) => count)) + sum(failed) + steady.sent - steady.answered,
  }
}

/** Loads a server, and reads what processor time it and those behind it took. */
export async function runOf({ backing }: World, server: ServerProcess, script: Script, seconds: number): Promise<Run> {
  const before = processorTime(server.pid, backing)
  const measured = await wrk(server.origin, script, seconds)
  return { ...measured, processor: since(before, processorTime(server.pid, backing)) }
}

/** What a request of `runs` costs, beside one of the control. */
export function costOf(runs: readonly Run[], controls: readonly Run[]): Cost {
  const each = perRequest(runs)
  // The servers do nothing for the control.
  const control = { ...perRequest(controls), redis: 0, database: 0 }
  return { each, control, thread: each.redirecting / control.redirecting, all: allOf(each) / allOf(control) }
}

function perRequest(runs: readonly Run[]): Processor {
  const requests = sum(runs.map((run) => run.requests))
  const total = runs.reduce((all, { processor }) => combine(all, processor, (a, b) => a + b), NONE)
  return combine(total, NONE, (time) => time / requests)
}

function shareOfMemory(answers: Record<string, number>): number {
  const inMemory = Object.entries(answers).filter(([key]) => key.endsWith('/memory'))
  return sum(inMemory.map(([, count]) => count)) / sum(Object.values(answers))
}

export function difference(before: Record<string, number>, after: Record<string, number>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(after)
      .map(([key, count]) => [key, count - (before[key] ?? 0)] as const)
      .filter(([, count]) => count > 0),
  )
}

export const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2
}
