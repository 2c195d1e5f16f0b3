import Kutt from 'kutt'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOST, type Key, leadTo, newKey, signUp, startForeign } from './foreign'
import { type App, destination, eventually, ownServers, query, type Servers } from './harness'

let servers: Servers
let app: App
let cookie = ''
let key: Key
let kutt: Kutt
let end = () => {}

/** As Kutt itself answers: the client’s types are of an earlier release. */
type Period = { total: number; views: number[]; stats: Record<string, { name: string; value: number }[]> }
type Counted = Record<'lastDay' | 'lastWeek' | 'lastMonth' | 'lastYear', Period>

const API = `http://${HOST}/api/v2`
const clientOf = (secret: string) => new Kutt().set('api', API).set('key', secret)
const call = (method: string, path: string, body?: unknown, secret = key.key) =>
  app.call(method, `/api/v2${path}`, body, { host: HOST, 'x-api-key': secret })

beforeAll(async () => {
  servers = await ownServers()
  app = await startForeign(servers)
  cookie = await signUp(app, 'anna')
  key = await newKey(app, cookie)
  kutt = clientOf(key.key)
  end = leadTo(app)
})

afterAll(async () => {
  end()
  await app?.stop()
  await servers?.stop()
})

describe('the unmodified client of npm', () => {
  it('creates, lists, edits, counts and deletes', async () => {
    const links = kutt.links()
    const target = destination()
    const made = await links.create({
      ...{
        target,
        customurl: 'summer',
        description: 'for the newsletter',
        expire_in: '42 days',
        password: 'a secret',
        reuse: false,
      },
    })
    expect(made).toMatchObject({ address: 'summer', target, password: true, description: 'for the newsletter', visit_count: 0 })
    expect(made).toMatchObject({ link: `http://${HOST}/summer`, banned: false, created_at: expect.any(Date) })
    expect(made.id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)

    const plain = await links.create({ target: destination() })
    expect(await links.create({ target: plain.target, reuse: true })).toMatchObject({ id: plain.id })
    const page = await links.list({ limit: 1, skip: 1 })
    expect(page).toMatchObject({ total: 2, limit: 1, skip: 1, data: [{ id: made.id }] })

    const moved = destination()
    const edited = await links.update(plain.id, { target: moved, address: plain.address, description: 'moved' })
    expect(edited).toMatchObject({ id: plain.id, target: moved, description: 'moved' })
    expect(
      (await app.get(`/${plain.address}`, { host: HOST, 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' })).headers
        .location,
    ).toBe(moved)

    // The client sends DELETE for these.
    const stats = await eventually(
      async () => (await links.stats(plain.id)) as unknown as Counted,
      (counted) => [counted.lastDay, counted.lastWeek, counted.lastMonth, counted.lastYear].every(({ total }) => total === 1),
    )
    expect(stats).toMatchObject({ id: plain.id, address: plain.address, lastWeek: { total: 1 }, lastYear: { total: 1 } })
    expect([stats.lastDay, stats.lastWeek, stats.lastMonth, stats.lastYear].map(({ views }) => views.length)).toEqual([
      24, 7, 30, 12,
    ])
    expect(stats.lastDay.views.at(-1)).toBe(1)
    expect(stats.lastDay.stats.browser).toEqual([{ name: 'Firefox', value: 1 }])
    expect((await app.get(`/${plain.address}`, { host: HOST })).status).toBe(302)

    expect(await links.remove(plain.id)).toBe('Link has been deleted successfully.')
    expect((await app.get(`/${plain.address}`, { host: HOST })).status).toBe(410)
    expect(await links.list()).toMatchObject({ total: 1 })
  })

  it('tells of the account, its domains and the health of the API', async () => {
    expect(await kutt.health().check()).toBe(true)
    expect(await kutt.users().info()).toMatchObject({ email: 'anna@example.com', domains: [] })
  })

  it('adds and removes domains for admins alone', async () => {
    await expect(kutt.domains().create({ address: 'https://go.example.com', homepage: '' })).rejects.toThrow(/admins/)
    await query(servers.databaseUrl, "UPDATE User SET role = 'admin' WHERE email = 'anna@example.com'")
    const domain = await kutt.domains().create({ address: 'https://go.example.com', homepage: '' })
    expect(domain).toMatchObject({ address: 'go.example.com', banned: false })
    expect(await kutt.domains().remove(domain.id)).toBe('Domain has been deleted successfully.')
    const noted = await query<{ action: string }>(servers.databaseUrl, 'SELECT action FROM AuditEntry ORDER BY id')
    expect(noted.map(({ action }) => action)).toEqual(['domain.add', 'domain.remove'])
    await query(servers.databaseUrl, "UPDATE User SET role = 'user' WHERE email = 'anna@example.com'")
  })
})

describe('what is refused', () => {
  it('no key, a wrong one, one that only reads, a session', async () => {
    const reader = await newKey(app, cookie, { scope: 'read' })
    const link = { target: destination() }
    expect((await app.call('POST', '/api/v2/links', link, { host: HOST, cookie })).status).toBe(401)
    expect((await call('POST', '/links', link, 'wrong')).status).toBe(401)
    expect((await call('POST', '/links', link, reader.key)).status).toBe(403)
    expect((await call('GET', '/links', undefined, reader.key)).status).toBe(200)
  })

  it('the link of another account is as one that there is not', async () => {
    const stranger = await newKey(app, await signUp(app, 'ben'))
    const { id } = await kutt.links().create({ target: destination() })
    const asked = (of: string, method: string, path = '') =>
      call(method, `/links/${of}${path}`, method === 'PATCH' ? {} : undefined, stranger.key)
    for (const [method, path] of [
      ['GET', '/stats'],
      ['DELETE', '/stats'],
      ['PATCH', ''],
      ['DELETE', ''],
    ] as const) {
      const [theirs, none] = await Promise.all([
        asked(id, method, path),
        asked('00000000-0000-8000-8000-000000000000', method, path),
      ])
      expect([theirs.status, theirs.body]).toEqual([404, none.body])
    }
  })

  it.each([
    ['a blocked destination', { target: 'https://blocked.example' }],
    ['a script', { target: 'javascript:alert(1)' }],
    ['a URL of our own', { target: `http://${HOST}/abc` }],
    ['no target', {}],
    ['an expiry that is none', { target: 'https://example.com', expire_in: 'soon' }],
    ['a code that the application needs', { target: 'https://example.com', customurl: 'api' }],
    ['a code where another API lies', { target: 'https://example.com', customurl: 'rest/v3/tags' }],
  ])('%s', async (_, body) => {
    await query(
      servers.databaseUrl,
      "INSERT IGNORE INTO BlockRule (id, kind, value, createdBy, createdAt) VALUES (1, 'host', 'blocked.example', '', NOW())",
    )
    const { status, body: text } = await eventually(
      () => call('POST', '/links', body),
      (answer) => answer.status !== 201,
    )
    expect([status, JSON.parse(text)]).toEqual([400, { error: expect.any(String) }])
  })

  it('a body that is no JSON, and a method that there is not', async () => {
    expect((await app.call('POST', '/api/v2/links', undefined, { host: HOST, 'x-api-key': key.key })).status).toBe(400)
    expect((await call('PUT', '/links')).status).toBe(405)
    expect((await call('GET', '/nothing')).status).toBe(404)
  })
})

it('a key of the former Kutt goes on working, once its hash was brought along', async () => {
  const { createHash } = await import('node:crypto')
  const old = 'Zb9YwU8r3NnXcQ5vT1kE7mD2sA6gH4jL0pO_iBfC'
  const hash = createHash('sha256').update(old).digest('hex')
  await newKey(app, cookie, { hash })
  expect(await clientOf(old).users().info()).toMatchObject({ email: 'anna@example.com' })
  const again = await app.call('POST', '/api/v1/account/keys', { name: 'again', hash }, { cookie })
  expect([again.status, JSON.parse(again.body).errors[0].path]).toEqual([422, 'hash'])
})

it('a request that names itself by Idempotency-Key gets the same link again, and one that does not another', async () => {
  const body = { target: destination() }
  const create = async (name?: string) => {
    const headers = { host: HOST, 'x-api-key': key.key, ...(name !== undefined && { 'idempotency-key': name }) }
    const { status, body: text } = await app.call('POST', '/api/v2/links', body, headers)
    return { status, address: JSON.parse(text).address }
  }
  const first = await create('order 4711')
  expect(first.status).toBe(201)
  expect(await create('order 4711')).toEqual(first)
  expect((await create()).address).not.toBe(first.address)
})
