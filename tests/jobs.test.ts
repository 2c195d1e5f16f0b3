import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Link } from '@/lib/db/generated/client'
import type { JobItemView, JobView } from '@/lib/jobs/schemas'
import { insertStatement } from '@/lib/links/insert'
import { linkRow } from '@/lib/testing/links'
import { Browser } from './browser'
import { App, eventually, ownServers, query, type Servers } from './harness'

/** Links that a job changes one by one. */
const ROWS = 600
/** Links that an import creates, many at a time: it takes a second where nothing else holds it up. */
const IMPORTED = 15_000
const ADMIN = { ADMIN_EMAIL: 'ada@example.com', ADMIN_PASSWORD: 'correct horse battery' }
let servers: Servers
let env: Record<string, string>
/** Carries on with a job since the processes before it were killed. */
let survivor: App | undefined

beforeAll(async () => {
  servers = await ownServers()
  env = { DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl, ...ADMIN }
})

afterAll(async () => {
  await survivor?.stop()
  await servers?.stop()
})

async function signedIn(app: App): Promise<Browser> {
  const browser = new Browser(app)
  const credentials = { email: ADMIN.ADMIN_EMAIL, password: ADMIN.ADMIN_PASSWORD }
  expect((await browser.ask('POST', '/api/auth/sign-in/email', credentials)).status).toBe(200)
  return browser
}

/** What came of every row, page by page. */
async function allItems(browser: Browser, number: string): Promise<JobItemView[]> {
  const items: JobItemView[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const answer = await browser.ask('GET', `/api/v1/jobs/${number}/items?limit=100${cursor && `&cursor=${cursor}`}`)
    const page = JSON.parse(answer.body) as { items: JobItemView[]; nextCursor: string | null }
    items.push(...page.items)
    cursor = page.nextCursor
  }
  return items
}

/** Begins a job of so many rows, kills both processes in the middle of it, and waits until a third is through with it. */
async function throughKill(rows: number, begin: (browser: Browser) => Promise<{ body: string }>): Promise<JobItemView[]> {
  const first = survivor ?? (await App.start(env))
  const second = await App.start(env)
  const { number } = JSON.parse((await begin(await signedIn(first))).body) as JobView
  const other = await signedIn(second)
  const jobBy = async (browser: Browser) => JSON.parse((await browser.ask('GET', `/api/v1/jobs/${number}`)).body) as JobView
  // Whichever process has it.
  expect(
    await eventually(
      () => jobBy(other),
      ({ done }) => done > 0,
    ),
  ).toMatchObject({ state: 'running' })
  await Promise.all([first.stop('SIGKILL'), second.stop('SIGKILL')])
  survivor = await App.start(env)
  const last = await signedIn(survivor)
  const ended = await eventually(
    () => jobBy(last),
    ({ state }) => state === 'done',
    90_000,
  )
  expect(ended).toMatchObject({ done: rows, failed: 0, total: rows })
  const items = await allItems(last, number)
  expect(items.map(({ position }) => position)).toEqual(Array.from({ length: rows }, (_, position) => position))
  expect(new Set(items.map(({ target }) => target)).size).toBe(rows)
  // Done before the kill, and not yet written down: once more there was nothing to do.
  expect(items.filter(({ outcome }) => outcome === 'failed')).toEqual([])
  return items
}

const rowsOf = async (table: 'Link' | 'DeletedLink') =>
  Number((await query<{ count: number }>(env.DATABASE_URL ?? '', `SELECT COUNT(*) AS count FROM ${table}`))[0]?.count)

describe('a job whose process was killed is gone on with by another, and no row is missing, repeated or done with harm:', () => {
  test('a deletion', async () => {
    let ids: string[] = []
    await throughKill(ROWS, async (browser) => {
      ids = (await insertedLinks()).map(({ id }) => id.toString())
      return browser.ask('POST', '/api/v1/links/bulk', { action: 'delete', ids })
    })
    expect([await rowsOf('Link'), await rowsOf('DeletedLink')]).toEqual([0, ROWS])
  }, 150_000)

  test('an import, of which no link is made twice', async () => {
    const csv = Array.from({ length: IMPORTED }, (_, row) => `https://example.com/${row}`).join('\n')
    const items = await throughKill(IMPORTED, (browser) => browser.ask('POST', '/api/v1/links/import', csv, 'text/csv'))
    expect(await rowsOf('Link')).toBe(IMPORTED)
    const made = await query<{ fullShortUrl: string }>(env.DATABASE_URL ?? '', 'SELECT fullShortUrl FROM Link')
    expect(new Set(items.map(({ target }) => target))).toEqual(new Set(made.map(({ fullShortUrl }) => fullShortUrl)))
  }, 150_000)
})

/** Links of the admin, made behind the app's back: there is enough to do for a while. */
async function insertedLinks(): Promise<Link[]> {
  const url = env.DATABASE_URL ?? ''
  const [admin] = await query<{ id: string }>(url, 'SELECT id FROM User')
  const links = Array.from({ length: ROWS }, () => linkRow({ ownerId: admin?.id ?? null }))
  const { sql, values } = insertStatement(links)
  await query(url, sql, values)
  return links
}
