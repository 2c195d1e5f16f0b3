import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Link } from '@/lib/db/generated/client'
import type { JobItemView, JobView } from '@/lib/jobs/schemas'
import { insertStatement } from '@/lib/links/insert'
import { linkRow } from '@/lib/testing/links'
import { Browser } from './browser'
import { App, eventually, privateServers, query, type Servers } from './harness'

const LINKS = 600
const ADMIN = { ADMIN_EMAIL: 'ada@example.com', ADMIN_PASSWORD: 'correct horse battery' }
let servers: Servers
let env: Record<string, string>

beforeAll(async () => {
  servers = await privateServers()
  env = { DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl, ...ADMIN }
})

afterAll(() => servers?.stop())

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

test('a job whose process was killed is gone on with by another, and no row is missing, repeated or done with harm', async () => {
  const first = await App.start(env)
  const browser = await signedIn(first)
  const ids = (await insertedLinks()).map(({ id }) => id.toString())
  const second = await App.start(env)
  const { body } = await browser.ask('POST', '/api/v1/links/bulk', { action: 'delete', ids })
  const { number } = JSON.parse(body) as JobView
  const other = await signedIn(second)
  const job = async (): Promise<JobView> => JSON.parse((await other.ask('GET', `/api/v1/jobs/${number}`)).body) as JobView
  // Whichever process has it.
  expect(await eventually(job, ({ done }) => done > 0)).toMatchObject({ state: 'running' })
  await Promise.all([first.stop('SIGKILL'), second.stop('SIGKILL')])
  const third = await App.start(env)
  const last = await signedIn(third)
  const ended = await eventually(
    async () => JSON.parse((await last.ask('GET', `/api/v1/jobs/${number}`)).body) as JobView,
    ({ state }) => state === 'done',
    90_000,
  )
  expect(ended).toMatchObject({ done: LINKS, failed: 0, total: LINKS })
  const items = await allItems(last, number)
  expect(items.map(({ position }) => position)).toEqual(ids.map((_, i) => i))
  expect(new Set(items.map(({ target }) => target)).size).toBe(LINKS)
  // Done before the kill, and not yet written down: once more there was nothing to do.
  expect(items.filter(({ outcome }) => outcome === 'failed')).toEqual([])
  const [{ alive, deleted } = { alive: -1, deleted: -1 }] = await query<{ alive: number; deleted: number }>(
    env.DATABASE_URL ?? '',
    'SELECT (SELECT COUNT(*) FROM Link) AS alive, (SELECT COUNT(*) FROM DeletedLink) AS deleted',
  )
  expect([alive, deleted]).toEqual([0, LINKS])
  await third.stop()
}, 150_000)

/** Links of the admin, made behind the app's back: there is enough to do for a while. */
async function insertedLinks(): Promise<Link[]> {
  const url = env.DATABASE_URL ?? ''
  const [admin] = await query<{ id: string }>(url, 'SELECT id FROM User')
  const links = Array.from({ length: LINKS }, () => linkRow({ ownerId: admin?.id ?? null }))
  const { sql, values } = insertStatement(links)
  await query(url, sql, values)
  return links
}
