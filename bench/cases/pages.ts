import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser } from '@playwright/test'
import { type Cookies, launchBrowser, type Paint, type Visit, type Weight, watchPaint, weigh } from '../browser'
import { median, sum } from '../measure'
import { type ServerProcess, startNext } from '../processes'
import type { Row } from '../report'
import { emptyDatabase, type World } from '../world'
import { withApp } from './redirects'

const ADMIN = { ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'only for the benchmark' }
/** Links in the list of the dashboard: a page of them. */
const LINKS = 25

/** The pages that are measured. */
type Name = 'front page' | 'dashboard' | 'sign-in' | 'statistics'

/** Most bytes of script, gzipped, above an empty page of the framework; null: no goal. */
const MOST: Record<Name, number | null> = { 'front page': 40_000, dashboard: 110_000, 'sign-in': null, statistics: null }
const MOST_LCP = 1_500
const MOST_CLS = 0.02

/** What a browser loads and does before anybody clicks, and when there is something to see. */
export async function pages(world: World): Promise<Row[]> {
  const browser = await launchBrowser()
  try {
    const empty = await weighEmpty(world, browser)
    const settings = await emptyDatabase('lists')
    return await withApp(
      world,
      'pages',
      { settings },
      async (app) => {
        const rows: Row[] = []
        for (const [name, visit] of Object.entries(await visits(app)) as [Name, Visit][]) {
          rows.push(...(await measure(name, visit, browser, empty, world.plan.rounds)))
        }
        return rows
      },
      ADMIN,
    )
  } finally {
    await browser.close()
  }
}

/** The scripts of bench/empty, a page of nothing, built and served by the same framework. */
async function weighEmpty({ dir }: World, browser: Browser): Promise<number> {
  const next = join(createRequire(import.meta.url).resolve('next/package.json'), '../dist/bin/next')
  const env = { ...process.env, NODE_ENV: 'production' as const, NEXT_TELEMETRY_DISABLED: '1' }
  await promisify(execFile)(process.execPath, [next, 'build', 'bench/empty'], { env })
  const server = await startNext(dir, next, 'bench/empty')
  try {
    return total((await weigh(browser, { url: `${server.origin}/` })).scripts)
  } finally {
    await server.stop()
  }
}

const total = (scripts: Weight['scripts']) => sum(Object.values(scripts))

/** The pages of an account with some links, by a name that the app takes for its own. */
async function visits({ origin }: ServerProcess): Promise<Record<Name, Visit>> {
  const base = origin.replace('127.0.0.1', 'localhost')
  const post = async (path: string, body: unknown, cookies: Cookies = []) => {
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    const headers = { 'Content-Type': 'application/json', Origin: base, cookie }
    const answer = await fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return answer
  }
  const signedIn = await post('/api/auth/sign-in/email', { email: ADMIN.ADMIN_EMAIL, password: ADMIN.ADMIN_PASSWORD })
  const cookies: Cookies = signedIn.headers.getSetCookie().map((header) => {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? []
    return { name, value, url: base }
  })
  let link = { code: '', domain: '' }
  for (let i = 1; i <= LINKS; i++) {
    const body = { url: `https://example.com/a/page/${i}`, title: `Page ${i}` }
    link = (await (await post('/api/v1/links', body, cookies)).json()) as typeof link
  }
  return {
    'front page': { url: `${base}/` },
    dashboard: { url: `${base}/dashboard`, cookies },
    'sign-in': { url: `${base}/sign-in` },
    statistics: { url: `${base}/stats/${link.code}?domain=${encodeURIComponent(link.domain)}`, cookies },
  }
}

async function measure(name: Name, visit: Visit, browser: Browser, empty: number, rounds: number): Promise<Row[]> {
  // The app loads a page's code when it is first asked for.
  await weigh(browser, visit)
  const weights: Weight[] = []
  const paints: Paint[] = []
  for (let round = 0; round < rounds; round++) {
    weights.push(await weigh(browser, visit))
    paints.push(await watchPaint(browser, visit))
  }
  const [weight] = weights as [Weight]
  const above = total(weight.scripts) - empty
  const most = MOST[name]
  const lcp = median(paints.map((paint) => paint.lcp))
  const cls = Math.max(...paints.map((paint) => paint.cls))
  const kB = (bytes: number) => `${(bytes / 1000).toFixed(1)} KB`
  const ms = (values: number[]) => `${median(values).toFixed(0)} ms`
  const work = `${ms(weights.map(({ taskMs }) => taskMs))} of renderer, ${ms(weights.map(({ scriptMs }) => scriptMs))} of them scripts`
  return [
    {
      title: `${name}: JavaScript above an empty page, gzipped`,
      goal: most === null ? '' : `≤ ${most / 1000} KB`,
      result: kB(above),
      met: most === null ? null : above <= most,
      note: `${kB(total(weight.scripts))} in all, ${kB(empty)} of the empty page; ${kB(weight.html)} of HTML; ${work}`,
      raw: { empty, weights },
    },
    {
      title: `${name}: LCP and CLS at 1.6 Mbit/s, processor four times slower`,
      goal: `< ${MOST_LCP / 1000} s, < ${MOST_CLS}`,
      result: `${(lcp / 1000).toFixed(2)} s, ${cls.toFixed(3)}`,
      met: lcp < MOST_LCP && cls < MOST_CLS,
      raw: { paints },
    },
  ]
}
