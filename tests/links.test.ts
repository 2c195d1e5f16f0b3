import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ENDPOINTS } from '@/lib/api/endpoints'
import { App, destination, ownServers, query, type Servers } from './harness'

let servers: Servers
let env: { DATABASE_URL: string; REDIS_URL: string }
let app: App

beforeAll(async () => {
  servers = await ownServers()
  env = { DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl }
  app = await App.start(env)
})

afterAll(async () => {
  expect(await app?.stop()).toBe(0)
  await servers?.stop()
})

describe('the life of a link', () => {
  test('made: 201, its address in Location, every field in the answer, the token only there', async () => {
    const made = await app.api('POST', '/links', { url: 'https://example.com/a b', title: 'Ä title 🙂' })
    expect(made.status).toBe(201)
    expect(made.headers['cache-control']).toBe('no-store')
    const link = JSON.parse(made.body)
    expect(made.headers.location).toBe(link.shortUrl)
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(link).toEqual({
      id: expect.stringMatching(/^\d{15,19}$/),
      domain: 'localhost',
      code: expect.stringMatching(/^[0-9A-Za-z]{7}$/),
      shortUrl: `http://localhost:${app.port}/${link.code}`,
      url: 'https://example.com/a%20b',
      title: 'Ä title 🙂',
      state: 'active',
      kind: 'short',
      createdAt: time,
      updatedAt: time,
      expiresAt: null,
      startsAt: null,
      expiredUrl: null,
      routing: null,
      preview: null,
      maxClicks: null,
      hasPassword: false,
      redirectStatus: 302,
      clicks: 0,
      clicksBefore: 0,
      listed: false,
      shared: false,
      publicHistory: true,
      banReason: '',
      deletedAt: null,
      manageToken: expect.stringMatching(/^[\w-]{43}$/),
    })
    const { manageToken, ...shown } = link
    expect(JSON.parse((await app.manage('GET', link)).body)).toEqual(shown)
    const [stored] = await query(servers.databaseUrl, 'SELECT * FROM Link WHERE code = ?', [link.code])
    expect(JSON.stringify(stored)).not.toContain(manageToken)
  })

  test.each<[Record<string, unknown>, Record<string, unknown>?]>([
    [{ url: 'https://example.org/x y' }, { url: 'https://example.org/x%20y' }],
    [{ title: '  Trimmed  ' }, { title: 'Trimmed' }],
    [{ startsAt: '2090-01-01T02:00:00+02:00' }, { startsAt: '2090-01-01T00:00:00.000Z', state: 'scheduled' }],
    [{ expiresAt: '2090-01-01T00:00:00.123Z' }],
    [{ expiresAt: '2001-01-01T00:00:00Z' }, { expiresAt: '2001-01-01T00:00:00.000Z', state: 'expired' }],
    [{ expiredUrl: 'https://example.org/over' }],
    [{ routing: { query: 'forward' } }],
    [{ password: 'sesame' }, { hasPassword: true }],
    [{ maxClicks: 3 }],
    [{ redirectStatus: 308 }],
    [{ enabled: false }, { state: 'disabled' }],
  ])('an edit of %j changes that and nothing else, and can be taken back', async (fields, expected = fields) => {
    const link = await app.create({ url: destination() })
    const before = JSON.parse((await app.manage('GET', link)).body)
    const patched = await app.manage('PATCH', link, fields)
    expect(patched.status).toBe(200)
    const after = JSON.parse(patched.body)
    expect(after).toEqual({ ...before, ...expected, updatedAt: expect.any(String) })
    expect(after.updatedAt >= before.updatedAt).toBe(true)
    expect(JSON.parse((await app.manage('GET', link)).body)).toEqual(after)
    const [name = ''] = Object.keys(fields)
    const old = { url: link.url, title: '', redirectStatus: 302, enabled: true }[name] ?? null
    expect(JSON.parse((await app.manage('PATCH', link, { [name]: old })).body)).toEqual({
      ...before,
      updatedAt: expect.any(String),
    })
  })

  test('switched off and on, deleted and restored: 410 and back at once', async () => {
    const link = await app.create({ url: destination(), redirectStatus: 307, title: 'kept' })
    const status = async () => (await app.get(`/${link.code}`)).status
    expect(await status()).toBe(307)
    await app.manage('PATCH', link, { enabled: false })
    expect(await status()).toBe(410)
    await app.manage('PATCH', link, { enabled: true })
    expect(await status()).toBe(307)

    const deleted = await app.manage('DELETE', link)
    expect([deleted.status, deleted.body]).toEqual([204, ''])
    expect(await status()).toBe(410)
    expect((await app.manage('GET', link)).status).toBe(410)
    expect((await app.manage('PATCH', link, { title: 'x' })).status).toBe(410)
    expect((await app.manage('DELETE', link)).status).toBe(410)
    expect((await app.api('POST', '/links', { url: 'https://example.com/', code: link.code })).status).toBe(409)
    expect((await app.api('POST', `/links/${link.code}/restore`)).status).toBe(401)

    const restored = await app.manage('POST', link, undefined, '/restore')
    expect(restored.status).toBe(200)
    expect(JSON.parse(restored.body)).toMatchObject({
      url: link.url,
      redirectStatus: 307,
      title: 'kept',
      createdAt: link.createdAt,
    })
    expect(await status()).toBe(307)
    expect((await app.manage('POST', link, undefined, '/restore')).status).toBe(404)
  })

  test('only its own manage token manages it: 401 without one, 404 with another', async () => {
    const link = await app.create({ url: destination() })
    const other = await app.create({ url: destination() })
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? { title: 'x' } : undefined
      for (const headers of [{}, { authorization: 'Basic eDp5' }, { authorization: 'Bearer ' }]) {
        const nobody = await app.api(method, `/links/${link.code}`, body, headers as Record<string, string>)
        expect(nobody.status).toBe(401)
        expect(nobody.headers['www-authenticate']).toBe('Bearer')
        expect(JSON.parse(nobody.body)).toMatchObject({ code: 'unauthorized' })
      }
      for (const token of [other.manageToken, `${link.manageToken}x`, link.manageToken.toLowerCase()]) {
        expect((await app.manage(method, { ...link, manageToken: token }, body)).status).toBe(404)
      }
    }
    expect(JSON.parse((await app.manage('GET', link)).body).title).toBe('')
    expect((await app.get(`/${link.code}`)).status).toBe(302)
    await app.manage('DELETE', link)
    expect((await app.manage('POST', { ...link, manageToken: other.manageToken }, undefined, '/restore')).status).toBe(404)
  })

  test('the list shows what a token manages, newest first, page by page, nothing twice', async () => {
    const links = []
    for (let i = 0; i < 5; i++) links.push(await app.create({ url: destination() }))
    const [first] = links
    const token = first?.manageToken ?? ''
    // As an account's links will be: several under one right.
    await query(
      servers.databaseUrl,
      'UPDATE Link SET manageTokenHash = (SELECT h FROM (SELECT manageTokenHash AS h FROM Link WHERE code = ?) AS t) WHERE code IN (?)',
      [first?.code, links.map(({ code }) => code)],
    )
    const list = async (search: string) => {
      const answer = await app.api('GET', `/links${search}`, undefined, { authorization: `Bearer ${token}` })
      expect(answer.status).toBe(200)
      return JSON.parse(answer.body) as { links: { code: string; manageToken?: string }[]; nextCursor: string | null }
    }
    const newestFirst = links.map(({ code }) => code).reverse()
    const whole = await list('')
    expect([whole.links.map(({ code }) => code), whole.nextCursor]).toEqual([newestFirst, null])
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await list(`?limit=2${cursor && `&cursor=${cursor}`}`)
      expect(page.links.length).toBeLessThanOrEqual(2)
      seen.push(...page.links.map(({ code }) => code))
      cursor = page.nextCursor
    }
    expect(seen).toEqual(newestFirst)
    expect((await app.api('GET', '/links')).status).toBe(401)
  })
})

describe('asked for twice', () => {
  test('reuse finds the plain link, whose destination is then fixed; one with a password is never handed out', async () => {
    const url = destination()
    await app.create({ url, password: 'sesame' })
    await app.create({ url, expiresAt: '2090-01-01T00:00:00Z' })
    const first = await app.create({ url })
    const again = await app.api('POST', '/links', { url, reuse: true })
    expect(again.status).toBe(200)
    const { code, domain, shortUrl } = first
    expect(JSON.parse(again.body)).toEqual({ code, domain, shortUrl, url, redirectStatus: 302 })
    const turned = await app.manage('PATCH', first, { url: 'https://evil.example/' })
    expect(turned.status).toBe(409)
    expect(JSON.parse(turned.body)).toMatchObject({ code: 'conflict', errors: [{ path: 'url' }] })
    expect((await app.get(`/${first.code}`)).headers.location).toBe(url)
    const fresh = { url: destination(), reuse: true }
    const made = await app.api('POST', '/links', fresh)
    expect(made.status).toBe(201)
    const found = await app.api('POST', '/links', fresh)
    expect([found.status, JSON.parse(found.body).code]).toEqual([200, JSON.parse(made.body).code])
  })

  test('64 requests at once with reuse make one link', async () => {
    const url = destination()
    const answers = await Promise.all(Array.from({ length: 64 }, () => app.api('POST', '/links', { url, reuse: true })))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(63).fill(200), 201])
    expect(new Set(answers.map(({ body }) => JSON.parse(body).code)).size).toBe(1)
  })

  test.each([{}, { code: 'once-custom' }, { reuse: true }])(
    'an Idempotency-Key gives the same answer again, also to 20 requests at once (%j), and 422 for another body',
    async (fields) => {
      const url = destination()
      const headers = { 'idempotency-key': randomUUID() }
      const ask = () => app.api('POST', '/links', { url, ...fields }, headers)
      const answers = await Promise.all(Array.from({ length: 20 }, ask))
      answers.push(await ask())
      expect(answers.map(({ status }) => status)).toEqual(Array(21).fill(201))
      expect(new Set(answers.map(({ body, headers }) => body + headers.location)).size).toBe(1)
      const link = JSON.parse(answers[0]?.body ?? '')
      expect((await app.manage('GET', link)).status).toBe(200)
      expect((await app.api('POST', '/links', { url: destination() }, headers)).status).toBe(422)
      expect(await query(servers.databaseUrl, 'SELECT id FROM Link WHERE url = ?', [url])).toHaveLength(1)
      const [kept] = await query<{ response: string }>(
        servers.databaseUrl,
        'SELECT response FROM IdempotencyKey WHERE linkId = (SELECT id FROM Link WHERE url = ?)',
        [url],
      )
      expect(kept?.response).not.toContain(link.manageToken)
    },
  )
})

test('the OpenAPI document names every operation, and everything it refers to is in it', async () => {
  const document = JSON.parse((await app.api('GET', '/openapi.json')).body)
  expect(document.openapi).toMatch(/^3\.1\./)
  expect(document.servers).toEqual([{ url: `http://localhost:${app.port}` }])
  const paths = document.paths as Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>>
  const named = Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const documented = ENDPOINTS.filter(({ spec }) => spec.limit !== null)
  expect(named.sort()).toEqual(documented.map(({ spec }) => `${spec.method} ${spec.path}`).sort())
  const operations = Object.values(paths).flatMap((item) => Object.values(item))
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
  for (const { responses } of operations) {
    expect(Object.keys(responses).some((status) => status.startsWith('2'))).toBe(true)
    for (const response of Object.values(responses)) expect(response).toMatchObject({ description: expect.any(String) })
  }
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path)
  expect(references.length).toBeGreaterThan(5)
  for (const path of references) {
    expect(path.split('/').reduce((node, key) => node?.[key], document)).toBeTypeOf('object')
  }
  expect(document.components.schemas.CreateLink.required).toEqual(['url'])
  const link = await app.create({ url: destination() })
  expect(Object.keys(document.components.schemas.Link.properties)).toEqual(expect.arrayContaining(Object.keys(link)))
})

test('nothing in the log is a fault after all that', () => {
  expect(app.log).not.toMatch(/"level":(50|60)|unhandled/i)
})
