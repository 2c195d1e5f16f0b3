import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { JobView } from '@/lib/jobs/schemas'
import { OldService } from '@/lib/testing/old-service'
import { Browser } from './browser'
import { App, eventually, OF_THIS_RUN, ownServers, query, ROOT, SECRET, type Servers } from './harness'

const ADMIN = { ADMIN_EMAIL: 'ada@example.com', ADMIN_PASSWORD: 'correct horse battery' }
let servers: Servers
let env: Record<string, string>

beforeAll(async () => {
  servers = await ownServers()
  env = { DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl, RATE_LIMIT: 'off', FETCH_ALLOW: '127.0.0.1', ...ADMIN }
})
afterAll(() => servers?.stop())

async function signedIn(app: App): Promise<Browser> {
  const browser = new Browser(app)
  const credentials = { email: ADMIN.ADMIN_EMAIL, password: ADMIN.ADMIN_PASSWORD }
  expect((await browser.ask('POST', '/api/auth/sign-in/email', credentials)).status).toBe(200)
  return browser
}

const KEY = 'the key of the old one'
const PAGES = 40
const EACH = 100

/** Shlink with so many pages of links, of which the second half is answered once it may be. */
async function shlink(go: Promise<void>): Promise<OldService> {
  const old = await OldService.open()
  old.answer = async ({ path, query: asked, headers }) => {
    if (!path.startsWith('/rest/')) return { status: 302, headers: { Location: `https://example.com${path}` } }
    if (headers['x-api-key'] !== KEY) return { status: 401 }
    const page = Number(asked.get('page'))
    if (page > PAGES / 2) await go
    const data = Array.from({ length: EACH }, (_, index) => ({
      ...{
        shortCode: `moved-${page}-${index}`,
        longUrl: `https://example.com/moved-${page}-${index}`,
        domain: null,
        title: null,
      },
      ...{ dateCreated: '2026-01-02T03:04:05+00:00', tags: ['old'], visitsSummary: { total: 3 }, forwardQuery: false },
      meta: { validSince: null, validUntil: null, maxVisits: null },
    }))
    return { json: { shortUrls: { data, pagination: { currentPage: page, pagesCount: PAGES, totalItems: PAGES * EACH } } } }
  }
  return old
}

test('an import that asks another service goes on after kill -9 where it was, misses and repeats no link, and forgets the key', async () => {
  let release: () => void = () => {}
  const go = new Promise<void>((resolve) => {
    release = resolve
  })
  const old = await shlink(go)
  const first = await App.start(env)
  const browser = await signedIn(first)
  const body = { from: 'shlink', address: old.address, key: KEY }
  const { number } = JSON.parse((await browser.ask('POST', '/api/v1/links/move', body)).body) as JobView
  await eventually(
    () => old.asked.length,
    (asked) => asked > PAGES / 2,
    60_000,
  )
  await first.stop('SIGKILL')
  const [source] = await query<{ found: number; secret: Buffer }>(servers.databaseUrl, 'SELECT found, secret FROM JobSource')
  expect(source?.found).toBe((PAGES / 2) * EACH)
  expect(source?.secret.toString('latin1')).not.toContain(KEY)
  release()
  const second = await App.start(env)
  const again = await signedIn(second)
  const job = await eventually(
    async () => JSON.parse((await again.ask('GET', `/api/v1/jobs/${number}`)).body) as JobView,
    ({ state }) => state === 'done' || state === 'failed',
    90_000,
  )
  expect(job).toMatchObject({ state: 'done', total: PAGES * EACH, failed: 0, counts: { created: PAGES * EACH } })
  // Each page once, but for the one that was under way.
  expect(old.asked).toHaveLength(PAGES + 1)
  expect(await query(servers.databaseUrl, 'SELECT secret FROM JobSource WHERE secret IS NOT NULL')).toEqual([])
  expect(first.log + second.log).not.toContain(KEY)

  const verify = JSON.parse((await again.ask('POST', `/api/v1/jobs/${number}/verify`, { address: old.address })).body) as JobView
  const verified = await eventually(
    async () => JSON.parse((await again.ask('GET', `/api/v1/jobs/${verify.number}`)).body) as JobView,
    ({ done, state }) => done >= 200 || state === 'failed',
    60_000,
  )
  expect(verified).toMatchObject({ failed: 0 })
  await again.ask('POST', `/api/v1/jobs/${verify.number}/cancel`)
  await second.stop()
}, 240_000)

async function command(name: string, args: string[], input = ''): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [join(ROOT, `dist/cli/${name}.js`), ...args], {
    cwd: ROOT,
    env: { ...OF_THIS_RUN, ...env, NODE_ENV: 'production', APP_SECRET: SECRET, BASE_URL: 'http://terse.test' },
  })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  child.stderr.on('data', (chunk) => {
    output += chunk
  })
  child.stdin.end(input)
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve))
  return { code, output }
}

test('commands import a file and compare its links, without an app', async () => {
  const dump = join(servers.dir, 'kutt.sql')
  const columns = 'id, address, target, domain_id, visit_count, banned'
  const rows = Array.from({ length: 30 }, (_, index) => `${index}\tcommand-${index}\thttps://example.com/${index}\t\\N\t0\tf`)
  writeFileSync(dump, `-- PostgreSQL database dump\nCOPY public.links (${columns}) FROM stdin;\n${rows.join('\n')}\n\\.\n`)
  const results = join(servers.dir, 'results.csv')
  const imported = await command('import', ['kutt', dump, `--results=${results}`])
  expect(imported.output).toContain('created: 30')
  expect(imported.code).toBe(0)
  expect((await command('import', ['kutt', dump])).output).toContain('exists: 30')
  const old = await OldService.open()
  old.answer = ({ path }) => ({
    status: 302,
    headers: { Location: `https://example.com/${path === '/command-7' ? 'other' : path.split('-')[1]}` },
  })
  const [, number = ''] = /Job (\d+)/.exec(imported.output) ?? []
  const verified = await command('verify', [number, old.address])
  expect(verified.output).toContain('same: 29')
  expect(verified.output).toContain('command-7: Old: 302 https://example.com/other. New: 302 https://example.com/7.')
  expect(verified.code).toBe(1)
  expect((await command('import', ['nothing', dump])).output).toContain('Kinds: yourls, kutt')

  const undone = await command('import', ['undo', number])
  expect([undone.code, undone.output]).toEqual([0, expect.stringContaining('deleted: 30')])
  expect((await command('import', ['kutt', dump])).output).toContain('created: 30')
}, 120_000)

test('commands are told what columns are and whose the links become, and start what they checked', async () => {
  const table = join(servers.dir, 'table.csv.gz')
  const rows = ['ada@example.com', 'gone@example.com'].map((who, i) => `https://example.com/${i},owned-${i},${who}`)
  writeFileSync(table, gzipSync(`Go to,Where,By\n${rows.join('\n')}\n`))
  const columns = `--columns=${JSON.stringify({ 'Go to': 'url', Where: 'code', By: 'owner' })}`
  const checked = await command('import', ['other', table, columns, '--dry-run'])
  expect(checked.output).toContain('created: 2')
  expect(checked.output).toContain('  gone@example.com: 1')
  const [, number = ''] = /Job (\d+)/.exec(checked.output) ?? []
  const owners = join(servers.dir, 'owners.csv')
  writeFileSync(owners, 'gone@example.com,nobody@example.com\n')
  expect((await command('import', ['start', number, `--owners=${owners}`])).output).toContain('nobody@example.com')
  writeFileSync(owners, '"gone@example.com","ada@example.com"\n')
  const started = await command('import', ['start', number, `--owners=${owners}`])
  expect([started.code, started.output]).toEqual([0, expect.stringContaining('created: 2')])
  writeFileSync(table, gzipSync('Go to,Where,By\nhttps://example.com/,owned-2,ada@example.com\n'))
  const byEmail = await command('import', ['other', table, columns, '--owners=email'])
  expect([byEmail.code, byEmail.output]).toEqual([0, expect.stringContaining('created: 1')])
  expect(await query(servers.databaseUrl, "SELECT COUNT(*) AS n FROM Link WHERE code LIKE 'owned-%'")).toMatchObject([{ n: 3 }])
}, 120_000)

test('a command reads the sitemap at an address', async () => {
  const old = await OldService.open()
  old.answer = ({ path }) =>
    path === '/sitemap.xml'
      ? { body: '<urlset><url><loc>https://example.com/from-sitemap</loc></url></urlset>' }
      : { status: 404 }
  const imported = await command('import', ['sitemap', `${old.address}/sitemap.xml`])
  expect([imported.code, imported.output]).toEqual([0, expect.stringContaining('created: 1')])
}, 120_000)
