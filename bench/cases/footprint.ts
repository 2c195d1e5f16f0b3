import { join } from 'node:path'
import { type Load, zipf } from '../loads'
import { median, sum } from '../measure'
import { answersOf } from '../metrics'
import { type ServerProcess, startApp, startByNpm } from '../processes'
import { notes, type Row, wrongAnswers } from '../report'
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
        title: `resident memory after ${total.toLocaleString('en-US')} redirects over ${stock.count.toLocaleString('en-US')} links`,
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

const SOAK_SECONDS = 600

/** Whether memory stays where it is: ten minutes of redirects, after a million of them. */
export async function soak(world: World): Promise<Row[]> {
  const stock = await world.large()
  const load = zipf(world, stock)
  const minutes = world.plan.quick ? 2 : SOAK_SECONDS / 60
  const minute = world.plan.quick ? 2 : 60
  return await withApp(
    world,
    'soak',
    stock,
    async (app) => {
      const samples = [await redirectUntil(app, load, world.plan.quick ? 100_000 : 1_000_000)]
      for (let i = 0; i < minutes; i++) {
        await wrk(app.origin, load.script((i + 2) * 150_001), minute)
        samples.push({ redirects: sum(Object.values(await answersOf(app))), memory: app.memory() })
      }
      const [first = Number.NaN, last = Number.NaN] = [samples[0]?.memory, samples.at(-1)?.memory]
      const wrong = await wrongOf(app)
      return [
        {
          title: `resident memory over ${minutes} minutes of redirects, after 1,000,000`,
          goal: '< 300 MB, flat',
          result: `${MB(last)}, ${MB(last - first)} more than at first`,
          met: Math.max(...samples.map(({ memory }) => memory)) < 300 && last - first < FLAT * minutes && wrong === 0,
          note: notes(samples.map(({ memory }) => MB(memory)).join(', '), wrongAnswers(wrong)),
          raw: { samples },
        },
      ]
    },
    // Nobody counts, so that it is the memory of redirecting; what waits in Redis is bounded by its setting.
    { ROLE: 'edge' },
  )
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
  const path = stock.path(0)
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

const READY_GOAL = 1.5

/** `npm start` where it has run before: everything is built, and its servers have their data. */
export async function start(world: World): Promise<Row[]> {
  const dataDir = join(world.dir, 'npm-start')
  const times: number[] = []
  for (let i = 0; i < 4; i++) {
    const app = await startByNpm(world.dir, dataDir)
    times.push(app.startTime / 1000)
    await app.stop()
  }
  const [first = Number.NaN, ...warm] = times
  const ready = median(warm)
  return [
    {
      title: '`npm start` on a warm clone, until ready',
      goal: `< ${READY_GOAL} s`,
      result: `${ready.toFixed(2)} s`,
      met: ready < READY_GOAL,
      note: `${warm.map((time) => time.toFixed(2)).join(', ')} s; ${first.toFixed(1)} s with a new data folder; MariaDB and Redis included`,
      raw: { first, warm },
    },
  ]
}
