import { setTimeout as delay } from 'node:timers/promises'
import { signIn } from '../admin'
import { zipf } from '../loads'
import { median } from '../measure'
import { answersOf } from '../metrics'
import { paced } from '../paced'
import { startApp } from '../processes'
import { notes, number, type Row } from '../report'
import type { World } from '../world'
import type { KeptStock } from './stock'

const REBUILD_RATE = 500_000
/** Redirects a second that are asked for meanwhile. */
const SERVED = 1_000

/** An admin's rebuild of the filter, while redirects are asked for. */
export async function rebuild(world: World, stock: KeptStock): Promise<Row[]> {
  const app = await startApp(world.dir, stock.settings)
  try {
    const headers = await signIn(app)
    const before = (await answersOf(app))['redirect/memory'] ?? 0
    const call = async (method: string, path: string) => {
      const answer = await fetch(`${app.origin}/api/v1${path}`, { method, headers })
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
      return (await answer.json()) as { number: string; state: string; done: number; startedAt: string; finishedAt: string }
    }
    const { number: job } = await call('POST', '/admin/rebuild')
    let isDone = false
    const load = (async () => {
      const runs = []
      const asked = zipf(world, stock, 10_000)
      for (let i = 0; !isDone; i++) runs.push(await paced(app.origin, asked, { rate: SERVED, seconds: 2, from: i * 2 * SERVED }))
      return runs
    })()
    let state = await call('GET', `/jobs/${job}`)
    for (; state.state === 'queued' || state.state === 'running'; state = await call('GET', `/jobs/${job}`)) await delay(200)
    isDone = true
    const runs = await load
    if (state.state !== 'done') throw new Error(`the rebuild ended as ${state.state}`)
    const seconds = (Date.parse(state.finishedAt) - Date.parse(state.startedAt)) / 1000
    const rate = state.done / seconds
    return [
      {
        title: 'rebuild of the filter, while redirects are asked for',
        goal: `> ${number(REBUILD_RATE)} codes/s`,
        result: `${number(rate)} codes/s`,
        met: rate > REBUILD_RATE,
        rate: SERVED,
        p50: median(runs.map((run) => run.p50)),
        p99: median(runs.map((run) => run.p99)),
        note: notes(`${number(state.done)} codes in ${seconds.toFixed(1)} s`, `${app.memory().toFixed(0)} MB resident after it`),
        raw: { state, runs, before },
      },
    ]
  } finally {
    await app.stop()
  }
}
