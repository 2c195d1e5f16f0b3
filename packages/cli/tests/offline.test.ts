import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LinkView } from '@/lib/links/schemas'
import { connectTo } from '@/lib/testing/database'
import { freePort } from '@/scripts/lib/loopback.mjs'
import { Browser } from '@/tests/browser'
import { type Answer, App, destination, eventually, ownServers, type Servers } from '@/tests/harness'
import type { OfflineCode } from '../src/offline.js'
import { accountWithKey, Cli } from './installed.js'

/** Codes are made with no server in reach, and claimed at one. */

const SMALL = 'small.example'

let servers: Servers
let app: App
/** With a server that answers, and with one that does not. */
let cli: Cli
let nowhere: Record<string, string>
let browser: Browser
let other: Browser
let offline: string
let keyId: string

beforeAll(async () => {
  servers = await ownServers()
  app = await App.start({ DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl })
  const connection = await connectTo(servers.databaseUrl)
  const sql = 'INSERT INTO Domain (host, createdAt, verifiedAt, codeCase) VALUES (?, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3), 2)'
  await connection.query(sql, [SMALL])
  await connection.end()
  const account = await accountWithKey(app)
  browser = account.browser
  ;({ browser: other } = await accountWithKey(app, 'Ben'))
  ;({ offline, id: keyId } = await newKey(browser))
  cli = Cli.install({ TERSE_URL: `http://localhost:${app.port}`, TERSE_KEY: account.key })
  nowhere = { TERSE_URL: `http://127.0.0.1:${await freePort()}`, TERSE_KEY: '', TERSE_OFFLINE_KEY: offline }
  const knows = async () => (await claim(browser, { url: destination(), domain: SMALL })).status
  await eventually(knows, (status) => status === 201)
})

afterAll(async () => {
  cli?.remove()
  await app?.stop()
  await servers?.stop()
})

async function newKey(of: Browser, options: object = {}): Promise<{ id: string; offline: string }> {
  const { status, body } = await of.ask('POST', '/api/v1/account/keys', { name: 'Print shop', offline: true, ...options })
  if (status !== 201) throw new Error(body)
  return JSON.parse(body)
}

const claim = (by: Browser, body: object) => by.ask('POST', '/api/v1/links', body)
const saysOffline = ({ status, body }: Answer) => [status, body.includes('reserved for an offline key')]
const REFUSED = [409, true]

async function codeOf(url: string, ...options: string[]): Promise<OfflineCode> {
  const [made] = await cli.json<OfflineCode>(['code', url, ...options], { env: nowhere })
  if (!made) throw new Error('no code')
  return made
}

test('with no server in reach, a code is told at once, and is the same each time', async () => {
  const url = destination()
  const first = await cli.run(['code', url, '--key', offline], { env: { ...nowhere, TERSE_OFFLINE_KEY: '' } })
  expect(first).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^http:\/\/localhost:\d+\/[2-9b-df-hj-km-np-tv-z]{15}\n$/),
    stderr: '',
  })
  expect(first.stdout).toContain(`http://localhost:${app.port}/`)
  expect(await cli.run(['code', url], { env: nowhere })).toEqual(first)
  const another = await codeOf(url, '--turn', '2')
  expect(first.stdout).not.toContain(another.code)
})

test('who made it claims it, by command or by any other key or browser of the account, and it leads there', async () => {
  const [first, second] = [await codeOf(destination()), await codeOf(destination(), '--turn', '3')]
  expect((await app.get(`/${first.code}`)).status).toBe(404)
  expect(await cli.run(['shorten', first.url, '--code', first.code])).toEqual({
    code: 0,
    stdout: `${first.shortUrl}\n`,
    stderr: '',
  })
  expect(await app.get(`/${first.code}`)).toMatchObject({ status: 302, headers: { location: first.url } })
  expect((await claim(browser, { url: second.url, code: second.code })).status).toBe(201)
  // It is a link like any other from then on.
  const edited = destination()
  expect((await browser.ask('PATCH', `/api/v1/links/${second.code}`, { url: edited })).status).toBe(200)
  await eventually(
    async () => (await app.get(`/${second.code}`)).headers.location,
    (location) => location === edited,
  )
})

test('nobody else gets it, by whatever way, nor its maker for anything else', async () => {
  const { url, code } = await codeOf(destination())
  expect(saysOffline(await claim(other, { url, code }))).toEqual(REFUSED)
  expect(saysOffline(await claim(other, { url, code: code.toUpperCase() }))).toEqual(REFUSED)
  const anonymous = await claim(new Browser(app), { url, code })
  expect(saysOffline(anonymous)).toEqual(REFUSED)
  expect(saysOffline(await claim(browser, { url: destination(), code }))).toEqual(REFUSED)
  // On another domain it is a code like any other.
  expect((await claim(browser, { url, code, domain: SMALL })).status).toBe(201)

  const rows = `url,code\n${url},${code}\n${url},plain-${code}\n`
  const started = await other.ask('POST', '/api/v1/links/import', rows, 'text/csv')
  const { number } = JSON.parse(started.body)
  const job = async () => JSON.parse((await other.ask('GET', `/api/v1/jobs/${number}`)).body)
  expect(await eventually(job, ({ state }) => state === 'done')).toMatchObject({ total: 2, failed: 1 })
  const items = await other.ask('GET', `/api/v1/jobs/${number}/items?outcome=failed`)
  expect(items.body).toContain('reserved for an offline key')
  expect((await claim(browser, { url, code })).status).toBe(201)
})

test('a whole list goes to print, and later in by one import', async () => {
  const urls = Array.from({ length: 300 }, destination)
  const made = await cli.run(['code', '--csv'], { env: nowhere, input: urls.join('\n') })
  expect([made.code, made.stderr]).toEqual([0, ''])
  writeFileSync(join(cli.folder, 'printed.csv'), made.stdout)
  const imported = await cli.run(['import', 'printed.csv', '--json'])
  expect([imported.code, JSON.parse(imported.stdout)]).toEqual([0, expect.objectContaining({ total: 300, failed: 0 })])
  const [, code] = made.stdout.split('\n').at(-2)?.split(',') ?? []
  expect((await app.get(`/${code?.replaceAll('"', '')}`)).headers.location).toBe(urls.at(-1))
  // Once more, it makes nothing twice.
  const again = await cli.run(['import', 'printed.csv', '--json'])
  expect(JSON.parse(again.stdout)).toMatchObject({ total: 300, failed: 0 })
})

test('claimed twice it is taken, and after its deletion it rests as any code does', async () => {
  const { url, code } = await codeOf(destination())
  expect((await claim(browser, { url, code })).status).toBe(201)
  expect((await claim(browser, { url, code })).body).toContain('is taken')
  expect((await browser.ask('DELETE', `/api/v1/links/${code}`)).status).toBe(204)
  const reserved = await claim(browser, { url, code })
  expect([reserved.status, saysOffline(reserved)[1]]).toEqual([409, false])
  expect((await browser.ask('POST', `/api/v1/links/${code}/restore`)).status).toBe(200)
})

test('a domain that ignores case takes it in capitals too', async () => {
  const { url, code, shortUrl } = await codeOf(destination(), '--domain', SMALL.toUpperCase())
  expect(shortUrl).toBe(`http://${SMALL}/${code}`)
  expect(saysOffline(await claim(other, { url, code: code.toUpperCase(), domain: SMALL }))).toEqual(REFUSED)
  const made = await claim(browser, { url, code: code.toUpperCase(), domain: SMALL })
  expect([made.status, (JSON.parse(made.body) as LinkView).code]).toEqual([201, code])
  expect((await app.get(`/${code.toUpperCase()}`, { host: SMALL })).headers.location).toBe(url)
})

test('a key that has ended claims nothing: revoked, or expired', async () => {
  const ended = await newKey(browser)
  const { url, code } = await codeOf(destination(), '--key', ended.offline)
  expect((await browser.ask('DELETE', `/api/v1/account/keys/${ended.id}`)).status).toBe(204)
  expect(saysOffline(await claim(browser, { url, code }))).toEqual(REFUSED)

  const expired = await newKey(browser, { expiresInDays: 1 })
  const late = await codeOf(destination(), '--key', expired.offline)
  const connection = await connectTo(servers.databaseUrl)
  await connection.query('UPDATE ApiKey SET expiresAt = UTC_TIMESTAMP() - INTERVAL 1 SECOND WHERE id = ?', [expired.id])
  await connection.end()
  expect(saysOffline(await claim(browser, { url: late.url, code: late.code }))).toEqual(REFUSED)
  // Another key of the account is none of its.
  const still = await codeOf(destination())
  expect((await claim(browser, { url: still.url, code: still.code })).status).toBe(201)
})

test('an offline key opens nothing, is shown once, and is only given where it is asked for', async () => {
  expect((await app.get('/api/v1/links', { authorization: `Bearer ${offline}` })).status).toBe(401)
  const listed = await browser.ask('GET', '/api/v1/account/keys')
  expect(listed.body).toContain(keyId)
  expect(listed.body).not.toContain('terse_off_')
  const plain = await browser.ask('POST', '/api/v1/account/keys', { name: 'Plain' })
  expect(JSON.parse(plain.body)).not.toHaveProperty('offline')
})

test('wrong use is said, and ends with 2', async () => {
  const url = 'https://example.com/'
  const run = async (...args: string[]) => cli.run(['code', ...args], { env: { ...nowhere, TERSE_OFFLINE_KEY: '' } })
  expect(await run(url)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--key') })
  expect(await run(url, '--key', offline.slice(0, -1))).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('isn’t whole'),
  })
  expect(await run(url, '--key', `terse_${'a'.repeat(64)}`)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('API key'),
  })
  expect(await run(url, '--key', offline, '--turn', '21')).toMatchObject({ code: 2, stderr: expect.stringContaining('1 to 20') })
  const some = await run('nonsense', url, '--key', offline)
  expect([some.code, some.stdout.split('\n').length, some.stderr]).toEqual([
    6,
    2,
    expect.stringContaining('“nonsense” isn’t a destination'),
  ])
})
