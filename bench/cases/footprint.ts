import { type Load, zipf } from '../loads'
import { median, sum } from '../measure'
import { answersOf } from '../metrics'
import { type ServerProcess, startApp } from '../processes'
import { type Row, wrongAnswers } from '../report'
import type { World } from '../world'
import { wrk } from '../wrk'
import { withApp } from './redirects'

const MB = (value: number) => `${value.toFixed(0)} MB`

interface Sample {
  redirects: number
  /** Resident, in MB. */
  memory: number
}

/** Memory is called flat when the last half of the redirects adds less than this, in MB for each 100,000. */
const FLAT = 2

/** Resident memory of one process as it answers a million redirects. */
export async function resident(world: World): Promise<Row[]> {
  const stock = await world.large()
  const load = zipf(world, stock)
  const total = world.plan.quick ? 100_000 : 1_000_000
  return await withApp(world, 'resident', stock, async (app) => {
    const samples: Sample[] = [{ redirects: 0, memory: app.memory() }]
    for (const quarter of [1, 2, 3, 4]) samples.push(await redirectUntil(app, load, (total * quarter) / 4))
    const wrong = await wrongOf(app)
    const last = samples.at(-1) ?? { redirects: 0, memory: Number.NaN }
    const half = samples.slice(2)
    const slope = slopeOf(half) * 100_000
    return [
      {
        title: `resident memory after ${total.toLocaleString('en-US')} redirects over ${stock.paths.length.toLocaleString('en-US')} links`,
        goal: '< 300 MB, flat',
        result: `${MB(last.memory)}, ${slope >= 0 ? '+' : '−'}${Math.abs(slope).toFixed(1)} MB per 100,000`,
        met: last.memory < 300 && slope < FLAT && wrong === 0,
        note: [
          samples.map(({ redirects, memory }) => `${MB(memory)} after ${Math.round(redirects / 1000)}k`).join(', '),
          wrongAnswers(wrong),
        ]
          .filter(Boolean)
          .join('; '),
        raw: { samples, slopePer100000: slope },
      },
    ]
  })
}

/** Loads the app until it has answered `target` redirects in its life. */
async function redirectUntil(app: ServerProcess, load: Load, target: number): Promise<Sample> {
  // A first guess that is too high errs on the side of more, shorter runs.
  for (let rate = 80_000, run = Math.round(target / 1000); ; run++) {
    const redirects = sum(Object.values(await answersOf(app)))
    if (redirects >= target) return { redirects, memory: app.memory() }
    const seconds = Math.max(1, Math.floor((target - redirects) / rate))
    rate = Math.max(1_000, (await wrk(app.origin, load.script(run * 150_001), seconds)).rate)
  }
}

async function wrongOf(app: ServerProcess): Promise<number> {
  const answers = Object.entries(await answersOf(app))
  return sum(answers.filter(([key]) => !key.startsWith('redirect/')).map(([, count]) => count))
}

/** MB for each redirect: the slope of the line of least squares. */
function slopeOf(samples: Sample[]): number {
  const meanX = sum(samples.map(({ redirects }) => redirects)) / samples.length
  const meanY = sum(samples.map(({ memory }) => memory)) / samples.length
  const over = sum(samples.map(({ redirects, memory }) => (redirects - meanX) * (memory - meanY)))
  const under = sum(samples.map(({ redirects }) => (redirects - meanX) ** 2))
  return over / under
}

/** The redirect-only process: how soon it answers after it was spawned, and what it holds, idle and after some load. */
export async function edge(world: World): Promise<Row[]> {
  const stock = await world.large()
  const path = stock.paths[0] ?? '/'
  const starts: number[] = []
  let idle = Number.NaN
  let loaded = Number.NaN
  let wrong = 0
  const STARTS = 5
  for (let i = 1; i <= STARTS; i++) {
    const app = await startApp(world.dir, { ...stock.settings, ROLE: 'edge' }, { path, status: 302 })
    try {
      starts.push(app.startTime)
      if (i < STARTS) continue
      idle = app.memory()
      await wrk(app.origin, zipf(world, stock, 100_000).script(0), world.plan.seconds)
      loaded = app.memory()
      wrong = await wrongOf(app)
    } finally {
      await app.stop()
    }
  }
  const ready = median(starts) / 1000
  return [
    {
      title: '`ROLE=edge` process',
      goal: '< 110 MB, ready in < 0.5 s',
      result: `${MB(loaded)}, ready in ${ready.toFixed(2)} s`,
      met: loaded < 110 && ready < 0.5 && wrong === 0,
      note: [`${MB(idle)} before load, ${MB(loaded)} after; from spawn to the first redirect`, wrongAnswers(wrong)]
        .filter(Boolean)
        .join('; '),
      raw: { startsMs: Object.fromEntries(starts.map((ms, i) => [i + 1, ms])), idle, loaded },
    },
  ]
}
