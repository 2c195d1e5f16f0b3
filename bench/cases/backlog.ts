import { cpus } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { type Load, zipf } from '../loads'
import { backlogOf, clicksApplied, drained } from '../metrics'
import { type Paced, paced } from '../paced'
import type { ServerProcess } from '../processes'
import { allOf, PARTS, processorTime, since } from '../processor'
import { number, type Row, wrongAnswers } from '../report'
import type { World } from '../world'
import { fill, linkIds } from './clicks'
import { withApp } from './redirects'

/** Redirects a second, and how much slower they may be while a backlog is counted. */
const PACE = 10_000
const SLOWER = 1.2
/** Clicks that wait: more than can be counted while it is measured. */
const WAITING = 1_000_000
/** Links that are clicked. */
const LINKS = 1_000

/** How long a new process is asked before anything is measured, in seconds: its first seconds are a case of their own. */
const WARM_UP = 5

async function warmUp(app: ServerProcess, load: Load): Promise<void> {
  await paced(app.origin, load, { rate: PACE, seconds: WARM_UP })
  await drained(app)
}

/** Redirects come first: how long they take at a steady pace with nothing to count but their own clicks, and with a backlog. */
export async function backlog(world: World): Promise<Row[]> {
  const { plan } = world
  const stock = await world.large()
  const load = zipf(world, stock, LINKS)
  const pace = { rate: PACE, seconds: plan.quick ? 3 : 15, leadIn: plan.leadIn }
  const waiting = plan.quick ? WAITING / 10 : WAITING
  return await withApp(world, 'backlog', stock, async (app) => {
    await warmUp(app, load)
    const without = await paced(app.origin, load, pace)
    await drained(app)
    await fill(stock, await linkIds(stock, LINKS), waiting)
    const before = await clicksApplied(app)
    const withIt = await paced(app.origin, load, pace)
    const counted = (await clicksApplied(app)) - before
    const left = waiting + withIt.sent - counted
    const slower = withIt.p99 / without.p99
    const missing = without.sent + withIt.sent - without.answered - withIt.answered
    return [
      {
        title: `p99 of redirects at ${number(PACE)}/s while a backlog is counted, to without`,
        goal: `≤ ${SLOWER}`,
        result: slower.toFixed(2),
        met: slower <= SLOWER && missing === 0 && left > 0,
        note: [
          `${ms(without)} without, ${ms(withIt)} with`,
          `${number(counted / (pace.seconds + pace.leadIn))} clicks counted a second, ${number(left)} left of ${number(waiting)}`,
          left > 0 ? '' : 'THE BACKLOG WAS COUNTED TOO SOON',
          wrongAnswers(missing),
        ]
          .filter(Boolean)
          .join('; '),
        raw: { without, withIt, counted, left },
      },
    ]
  })
}

const ms = ({ p99, late }: Paced) => `${p99.toFixed(1)} ms (sent ${late.toFixed(1)} late)`

/** Redirects a second that are to be counted as fast as they come, for how long, in seconds. */
const SUSTAINED = 20_000
const SUSTAINED_SECONDS = 120

/** Redirects and their counting side by side: what waits to be counted at the half and at the end. */
export async function sustained(world: World): Promise<Row[]> {
  const stock = await world.large()
  const seconds = world.plan.quick ? 10 : SUSTAINED_SECONDS
  const load = zipf(world, stock, LINKS)
  return await withApp(world, 'sustained', stock, async (app) => {
    await warmUp(app, load)
    const before = processorTime(app.pid, world.backing)
    const running = paced(app.origin, load, { rate: SUSTAINED, seconds, from: PACE * WARM_UP })
    const samples: number[] = []
    for (let i = 0; i < 4; i++) {
      await Promise.race([running, delay((seconds / 4) * 1000)])
      samples.push(await backlogOf(app))
    }
    const run = await running
    const spent = since(before, processorTime(app.pid, world.backing))
    const [half = Number.NaN, end = Number.NaN] = [samples[1], samples[3]]
    const rate = run.answered / run.seconds
    // A second's clicks are always under way.
    const isFlat = end < SUSTAINED || end <= half
    const missing = run.sent - run.answered
    return [
      {
        title: `redirects at ${number(SUSTAINED)}/s and their counting for ${seconds} s: clicks that wait at the end`,
        goal: `${number(SUSTAINED)}/s, no growth`,
        result: `${number(rate)}/s, ${number(end)} waiting`,
        met: rate > 0.98 * SUSTAINED && isFlat && missing === 0,
        p50: run.p50,
        p99: run.p99,
        note: [
          `${samples.map(number).join(', ')} waiting after each quarter`,
          `${number((run.answered - end) / run.seconds)} counted a second`,
          `sent ${run.late.toFixed(1)} ms late at p99`,
          `µs an answer: ${PARTS.map((part) => `${part} ${(spent[part] / run.answered).toFixed(0)}`).join(', ')}; of ${cpus().length} cores ${(allOf(spent) / run.seconds / 1e6).toFixed(2)}`,
          wrongAnswers(missing),
        ]
          .filter(Boolean)
          .join('; '),
        raw: { run, samples, spent },
      },
    ]
  })
}
