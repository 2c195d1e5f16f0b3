import { setTimeout as delay } from 'node:timers/promises'
import type { ServerProcess } from './processes'

const textOf = async ({ origin }: ServerProcess) => (await fetch(`${origin}/metrics`)).text()

/** How many requests for codes a process has answered, by `outcome/tier`. */
export async function answersOf(app: ServerProcess): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const [, labels = '', value] of (await textOf(app)).matchAll(/^terse_redirect_duration_seconds_count\{(.*)\} (\d+)$/gm)) {
    const label = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(labels)?.[1]
    counts[`${label('outcome')}/${label('tier')}`] = Number(value)
  }
  return counts
}

/** A counter of the app, all its labels together. */
export async function counter(app: ServerProcess, name: string): Promise<number> {
  const lines = (await textOf(app)).matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'gm'))
  return [...lines].reduce((total, [, value]) => total + Number(value), 0)
}

export const clicksApplied = (app: ServerProcess) => counter(app, 'terse_clicks_applied_total')

/** Clicks that this process took and has not counted yet. */
export async function backlogOf(app: ServerProcess): Promise<number> {
  return (await counter(app, 'terse_clicks_captured_total')) - (await clicksApplied(app))
}

/** How long counting may go without a single click, in ms, before it is taken to be stuck. */
const STUCK = 30_000

/** Waits until an app has counted so many clicks. @throws when it stops before */
export async function applied(app: ServerProcess, count: number): Promise<void> {
  for (let last = -1, at = performance.now(); ; await delay(50)) {
    const now = await clicksApplied(app)
    if (now >= count) return
    if (now > last) at = performance.now()
    last = now
    if (performance.now() - at > STUCK) throw new Error(`no click was counted for ${STUCK / 1000} s: ${now} of ${count}`)
  }
}

/** Waits until an app has counted all clicks that it took. */
export async function drained(app: ServerProcess): Promise<void> {
  await applied(app, await counter(app, 'terse_clicks_captured_total'))
}
