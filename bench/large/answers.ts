import { setTimeout as delay } from 'node:timers/promises'
import { signIn, WITH_ADMIN } from '../admin'
import { median } from '../measure'
import { type ServerProcess, startApp } from '../processes'
import { infoRow, notes, type Row } from '../report'
import type { World } from '../world'
import { clickedDays, codeOf, LABELS } from './fill'
import type { KeptStock } from './stock'

/** Times that each address is asked for, after a first one. */
const ASKED = 20
const MOST_MS = 150

/** All links of the admin, those on the domain, and those with each label, as queries. */
const SCOPES = [
  '',
  `domain=${new URL(WITH_ADMIN.BASE_URL).host}`,
  ...Object.entries(LABELS).map(([name, [kind]]) => `${kind}=${name}`),
]
/** How long links are counted for the first time until that is given up, in ms. */
const COUNTING = 10 * 60_000

/** Addresses by what they show; `api` without the `/api/v1` before them. */
function addresses(stock: KeptStock): { api: string[]; pages: string[] } {
  // The middle one of the links with clicks on 128 days, and one of the admin's with clicks on one.
  const hot = findPlace(stock, (n) => clickedDays(n) > 100)
  const own = findPlace(stock, (n) => n % 10 === 0 && clickedDays(n) === 1)
  const [busy, few] = [codeOf(hot), codeOf(own)]
  const api = [
    ...['/account', '/account/keys', '/account/sessions', '/account/overview?days=30', '/account/preferences'],
    ...['newest', 'oldest', 'clicks'].map((sort) => `/links?limit=50&total=true&sort=${sort}`),
    ...['state=expired', 'minClicks=1000', 'state=deleted', 'q=number'].map((filter) => `/links?limit=50&${filter}`),
    ...['newest', 'oldest', 'clicks'].map((sort) => `/admin/links?limit=50&total=true&sort=${sort}`),
    ...['q=site77', 'q=number-12345', 'state=banned', 'owner=none'].map((filter) => `/admin/links?limit=50&${filter}`),
    ...['/admin/overview?days=30', '/admin/accounts?limit=50', '/admin/accounts?q=Account+77', '/admin/domains'],
    ...[
      '/admin/audit',
      '/admin/blocklist',
      '/admin/reports',
      '/admin/invitations',
      '/admin/dead-letters',
      '/admin/system',
      '/jobs',
    ],
    ...[busy, few].flatMap((code) => [`/links/${code}`, `/links/${code}/stats`, `/links/${code}/clicks`, `/links/${code}/notes`]),
    ...SCOPES.map((scope) => `/stats?${scope}`),
    ...SCOPES.map((scope) => `/links?limit=50&total=true&${scope}`),
  ]
  const pages = [
    ...[
      '/',
      '/dashboard',
      '/dashboard/overview',
      '/dashboard/settings',
      '/dashboard/settings/data',
      ...SCOPES.map((scope) => `/stats?${scope}`),
      `/stats/${busy}`,
      `/stats/${few}`,
    ],
    ...['', '/links', '/accounts', '/domains', '/reports', '/blocklist', '/audit', '/system'].map((page) => `/admin${page}`),
  ]
  return { api, pages }
}

function findPlace({ count }: KeptStock, is: (n: number) => boolean): number {
  for (let n = Math.floor(count / 2); n < count; n++) if (is(n)) return n
  throw new Error('no such link')
}

/** Each page and each API list, one request after the other, as an admin with a tenth of all links. */
export async function answers({ dir }: World, stock: KeptStock): Promise<Row[]> {
  const app = await startApp(dir, stock.settings)
  try {
    const headers = await signIn(app)
    const { api, pages } = addresses(stock)
    await warmUp(app, headers)
    return [
      await countScopes(app, headers),
      ...(await askAll(app, headers, 'API', '/api/v1', api)),
      ...(await askAll(app, headers, 'page', '', pages)),
    ]
  } finally {
    await app.stop()
  }
}

/** The code of the pages is loaded when the first is asked for: asked of one that reads nothing of links. */
async function warmUp(app: ServerProcess, headers: Record<string, string>): Promise<void> {
  for (const path of ['/sign-in', '/dashboard/settings', '/api/v1/account']) {
    await (await fetch(app.origin + path, { headers })).arrayBuffer()
  }
}

/** Asks for the statistics of each scope until its links are counted. */
async function countScopes(app: ServerProcess, headers: Record<string, string>): Promise<Row> {
  const begun = performance.now()
  const times: string[] = []
  for (const scope of SCOPES) {
    let status = 202
    for (; status === 202 && performance.now() - begun < COUNTING; await delay(status === 202 ? 500 : 0)) {
      const answer = await fetch(`${app.origin}/api/v1/stats?${scope}`, { headers })
      await answer.arrayBuffer()
      status = answer.status
    }
    if (status !== 200) throw new Error(`statistics of “${scope}” answer ${status}`)
    times.push(`${scope || 'all'} ${((performance.now() - begun) / 1000).toFixed(0)} s`)
  }
  return infoRow('statistics of many links, until all are counted', times.at(-1) ?? '', times.join(', '), { times })
}

async function askAll(
  app: ServerProcess,
  headers: Record<string, string>,
  kind: string,
  before: string,
  paths: string[],
): Promise<Row[]> {
  const rows: Row[] = []
  for (const path of paths) {
    const times: number[] = []
    let failure = ''
    for (let i = 0; i <= ASKED; i++) {
      const begun = performance.now()
      const answer = await fetch(app.origin + before + path, { headers, redirect: 'manual' })
      await answer.arrayBuffer()
      times.push(performance.now() - begun)
      if (answer.status !== 200) failure = `answered ${answer.status}`
    }
    const [first = Number.NaN, ...others] = times
    const p95 = percentile(others, 0.95)
    rows.push({
      title: `${kind} ${path}`,
      goal: `< ${MOST_MS} ms`,
      result: `${p95.toFixed(0)} ms`,
      met: p95 < MOST_MS && failure === '',
      p50: median(others),
      note: notes(`first ${first.toFixed(0)} ms`, failure),
      raw: { times },
    })
  }
  return rows
}

function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
