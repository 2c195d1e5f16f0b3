import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DomainView } from '@/lib/domains/schemas'
import type { JobView } from '@/lib/jobs/schemas'
import { Browser } from './browser'
import { type Answer, App, eventually, ownServers, query, request, type Servers } from './harness'

const ADMIN = { ADMIN_EMAIL: 'ada@example.com', ADMIN_PASSWORD: 'correct horse battery' }
const OLD = 'old.example'
const FREE = 'free.example'
const CODES = [
  ...['docs', 'help', 'api', 'dashboard', 'bulk', 'export', 'import'],
  ...['7', '12345', '007', 'a.b', '~x', '-_-', '🎉', '👩‍👩‍👧', 'été', "it's", 'x:y', 'a+', 'logo.qr', 'help/me', 'index.html'],
]

let servers: Servers
let app: App
let browser: Browser

beforeAll(async () => {
  servers = await ownServers()
  app = await App.start({ DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl, RATE_LIMIT: 'off', ...ADMIN })
  browser = new Browser(app)
  const credentials = { email: ADMIN.ADMIN_EMAIL, password: ADMIN.ADMIN_PASSWORD }
  expect((await browser.ask('POST', '/api/auth/sign-in/email', credentials)).status).toBe(200)
  for (const host of [OLD, FREE]) await serve(host)
})
afterAll(async () => {
  await app?.stop()
  await servers?.stop()
})

const at = (host: string, path: string, method = 'GET') => request(app.port, path, { method, headers: { host } })
const ask = async <T>(method: string, path: string, body?: unknown, type?: string): Promise<T> =>
  JSON.parse((await browser.ask(method, `/api/v1${path}`, body, type)).body) as T
const pathOf = (code: string) => `/${code.split('/').map(encodeURIComponent).join('/')}`
const destinationOf = (code: string) => new URL(`https://example.com/?${encodeURIComponent(code)}`).href
const told = ({ status, headers }: Answer) => [status, headers.location]

/** Adds a domain, and takes its proof for granted: no name in a test leads here. */
async function serve(host: string): Promise<void> {
  const { id } = await ask<DomainView>('POST', '/admin/domains', { host })
  await query(servers.databaseUrl, 'UPDATE Domain SET verifiedAt = UTC_TIMESTAMP(3) WHERE id = ?', [id])
  await eventually(
    () => at(host, '/docs'),
    ({ status }) => status === 302,
  )
}

async function imported(codes: readonly string[], host: string): Promise<JobView> {
  const rows = codes.map((code) => `('${code.replaceAll("'", "\\'")}','${destinationOf(code)}','','2026-01-02 03:04:05','',3)`)
  const dump = `-- MySQL dump\nINSERT INTO \`yourls_url\` VALUES ${rows.join(',\n')};\n`
  const { number } = await ask<JobView>('POST', `/links/import?from=yourls&domain=${host}`, dump, 'application/sql')
  return eventually(
    () => ask<JobView>('GET', `/jobs/${number}`),
    ({ state }) => state === 'done' || state === 'failed',
    60_000,
  )
}

test('links of another shortener keep whatever code they had on their domain, and lead by it and by no other', async () => {
  const job = await imported(CODES, OLD)
  expect(job).toMatchObject({ state: 'done', counts: { created: CODES.length }, failed: 0 })
  for (const code of CODES) {
    expect(told(await at(OLD, pathOf(code))), code).toEqual([301, destinationOf(code)])
    expect(told(await at(OLD, pathOf(code), 'HEAD')), code).toEqual([301, destinationOf(code)])
  }
  // The pages and the API are where they were.
  const base = new URL((await app.get('/dashboard')).headers.location ?? '', `http://localhost:${app.port}`)
  expect(base.pathname).toBe('/sign-in')
  expect((await app.get('/docs')).status).toBe(200)
  expect((await at(OLD, '/healthz')).status).toBe(200)
  expect((await at(OLD, '/nothing-here')).status).toBe(404)
})

test('a word of the API that is a code is the link for who names its domain, and the word for everyone else', async () => {
  for (const code of ['export', 'bulk', 'import']) {
    const link = await ask<{ url: string; code: string }>('GET', `/links/${code}?domain=${OLD}`)
    expect(link).toMatchObject({ code, url: destinationOf(code) })
  }
  const file = await browser.ask('GET', '/api/v1/links/export')
  expect([file.status, file.headers['content-type']]).toEqual([200, expect.stringContaining('text/csv')])
  const renamed = await browser.ask('PATCH', `/api/v1/links/bulk?domain=${OLD}`, { title: 'A word' })
  expect(renamed.status).toBe(200)
  expect(await ask('GET', `/links/bulk?domain=${OLD}`)).toMatchObject({ title: 'A word' })
  expect((await browser.ask('GET', `/api/v1/links/export?domain=${FREE}`)).status).toBe(404)
})

test('spoken numbers are turned on where no link is called by a short number, and stay off where one is', async () => {
  const { domains } = await ask<{ domains: DomainView[] }>('GET', '/admin/domains')
  const idOf = (host: string) => domains.find((domain) => domain.host === host)?.id
  const taken = await browser.ask('PATCH', `/api/v1/admin/domains/${idOf(OLD)}`, { spokenCodes: true })
  expect(taken.status).toBe(409)
  expect(told(await at(OLD, '/12345'))).toEqual([301, destinationOf('12345')])
  const free = await ask<DomainView>('PATCH', `/admin/domains/${idOf(FREE)}`, { spokenCodes: true })
  expect(free.spokenCodes).toBe(true)
  const short = await imported(['12345', 'word'], FREE)
  expect(short).toMatchObject({ counts: { created: 1, refused: 1 } })
  expect((await ask<DomainView>('PATCH', `/admin/domains/${idOf(FREE)}`, { spokenCodes: false })).spokenCodes).toBe(false)
  expect(await imported(['12345', 'word'], FREE)).toMatchObject({ counts: { created: 1, exists: 1 } })
  expect(told(await at(FREE, '/12345'))).toEqual([301, destinationOf('12345')])
})

test('an import goes on without Redis: each link is created once, and leads', async () => {
  const codes = Array.from({ length: 300 }, (_, index) => `away-${index}`)
  await servers.redis.stop()
  const job = await imported(codes, OLD)
  expect(job).toMatchObject({ state: 'done', counts: { created: codes.length }, failed: 0 })
  const again = await imported(codes, OLD)
  expect(again).toMatchObject({ state: 'done', counts: { exists: codes.length }, failed: 0 })
  for (const code of codes.slice(0, 20)) expect(told(await at(OLD, `/${code}`))).toEqual([301, destinationOf(code)])
  await servers.redis.start()
  for (const code of codes) expect(told(await at(OLD, `/${code}`))).toEqual([301, destinationOf(code)])
}, 120_000)
