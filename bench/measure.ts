import type { ServerProcess } from './processes'
import type { World } from './world'
import { type Load, type Measured, wrk } from './wrk'

/** A server under one load, to be held against the control. */
export interface Subject {
  name: string
  app: ServerProcess
  /** The load of one run; runs are numbered from 0, which is the warm-up. */
  load: (run: number) => Load
  /** What every answer has to be: as the app's own metrics name the outcome. */
  expects: 'redirect' | 'not-found'
}

interface Round {
  run: Measured
  control: [before: Measured, after: Measured]
  /** Requests a second, as a share of the mean of both controls. */
  ratio: number
}

export interface Comparison {
  /** Medians over the rounds. */
  rate: number
  p50: number
  p99: number
  ratio: number
  controlRate: number
  rounds: Round[]
  /** Answers of the app, warm-up included, by `outcome/tier`. */
  answers: Record<string, number>
  /** Answers other than expected, and connections that failed. */
  wrong: number
}

/**
 * Measures each subject in turn between two runs of the control, round after round, since a machine is not
 * equally fast from one minute to the next. The control is sent the very same requests.
 */
export async function compare({ control, plan }: World, subjects: Subject[]): Promise<Comparison[]> {
  const before = await Promise.all(subjects.map(({ app }) => answersOf(app)))
  for (const { app, load } of subjects) await wrk(app.origin, load(0), plan.warmUp)
  const rounds: Round[][] = subjects.map(() => [])
  let last: Measured | null = null
  for (let round = 1; round <= plan.rounds; round++) {
    for (const [index, { app, load }] of subjects.entries()) {
      const first: Measured = last ?? (await wrk(control.origin, load(2 * round), plan.seconds))
      // What is kept in memory ages while the control is measured: bring it back to where it stands under load.
      await wrk(app.origin, load(2 * round - 1), plan.leadIn)
      const run = await wrk(app.origin, load(2 * round), plan.seconds)
      last = await wrk(control.origin, load(2 * round), plan.seconds)
      rounds[index]?.push({ run, control: [first, last], ratio: run.rate / ((first.rate + last.rate) / 2) })
    }
  }
  const after = await Promise.all(subjects.map(({ app }) => answersOf(app)))
  return subjects.map((subject, index) =>
    summary(subject, rounds[index] ?? [], difference(before[index] ?? {}, after[index] ?? {})),
  )
}

function summary({ expects }: Subject, rounds: Round[], answers: Record<string, number>): Comparison {
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
    rounds,
    answers,
    wrong: sum(unexpected.map(([, count]) => count)) + sum(failed),
  }
}

/** How many requests for codes a process has answered, by `outcome/tier`. */
export async function answersOf({ origin }: ServerProcess): Promise<Record<string, number>> {
  const text = await (await fetch(`${origin}/metrics`)).text()
  const counts: Record<string, number> = {}
  for (const [, labels = '', value] of text.matchAll(/^terse_redirect_duration_seconds_count\{(.*)\} (\d+)$/gm)) {
    const label = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(labels)?.[1]
    counts[`${label('outcome')}/${label('tier')}`] = Number(value)
  }
  return counts
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
