import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { App, eventually, privateServers, query, request, type Servers } from './harness'

let servers: Servers
let app: App

beforeAll(async () => {
  servers = await privateServers()
  app = await App.start({ DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl })
})

afterAll(async () => {
  await app?.stop()
  await servers?.stop()
})

const rows = async () => Number((await query<{ n: number }>(servers.databaseUrl, 'SELECT COUNT(*) AS n FROM Link'))[0]?.n)
const post = (body: string, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
  request(app.port, '/api/v1/links', { method: 'POST', headers, body })

/** What a raw socket gets for exactly these bytes. */
function raw(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(app.port, '127.0.0.1', () => socket.end(Buffer.from(bytes, 'latin1')))
    let text = ''
    socket.setTimeout(5_000, () => socket.destroy(new Error('no answer')))
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
    })
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
  })
}

function expectProblem(
  answer: { status: number; headers: Record<string, unknown>; body: string },
  status: number,
  path?: string,
) {
  expect(answer.status).toBe(status)
  expect(answer.headers['content-type']).toBe('application/problem+json')
  const problem = JSON.parse(answer.body)
  expect(problem).toMatchObject({
    type: expect.any(String),
    title: expect.any(String),
    status,
    detail: expect.any(String),
    code: expect.any(String),
  })
  if (path !== undefined) expect(problem.errors.map((error: { path: string }) => error.path)).toContain(path)
}

describe('bodies', () => {
  test('what is not JSON, of the wrong type or without url gets its own status, names the path and stores nothing', async () => {
    const before = await rows()
    expectProblem(await post('{"url":'), 400)
    expectProblem(await post('\u00ff', { 'content-type': 'application/json' }), 400)
    expectProblem(await post('url=https://example.com', { 'content-type': 'application/x-www-form-urlencoded' }), 415)
    expectProblem(await request(app.port, '/api/v1/links', { method: 'POST' }), 415)
    expectProblem(await post('{}'), 422, 'url')
    expectProblem(await post('{"url":7}'), 422, 'url')
    expectProblem(await post('[]'), 422, '')
    expectProblem(await post('{"url":"https://example.com","maxClicks":"3"}'), 422, 'maxClicks')
    expectProblem(await post('{"url":"https://example.com","redirectStatus":303}'), 422, 'redirectStatus')
    expectProblem(await post('{"url":"https://example.com","expiresAt":"tomorrow"}'), 422, 'expiresAt')
    expectProblem(await post('{"url":"https://example.com","expiresAt":"2001-01-01T00:00:00Z"}'), 422, 'expiresAt')
    expectProblem(await post('{"url":"https://example.com","colour":"red"}'), 422, 'colour')
    expectProblem(await post('{"url":"https://example.com","domain":"elsewhere.example"}'), 422, 'domain')
    expect(await rows()).toBe(before)
  })

  test('over 64 KB is 413, whether or not its length was announced', async () => {
    const big = JSON.stringify({ url: `https://example.com/${'a'.repeat(70_000)}` })
    expectProblem(await post(big), 413)
    expectProblem(await post(big, { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }), 413)
  })
})

describe('destinations', () => {
  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,hi',
    'file:///etc/passwd',
    'ftp://example.com/',
    '/relative',
    'example.com',
    '',
    'http://user:pw@host.example/',
    'http://user@host.example/',
    'https://exa\nmple.com/',
    'https://example.com/\u0000',
    'https://example.com/\u0085',
    'https://',
    `https://example.com/${'a'.repeat(8_192)}`,
  ])('%j is refused and nothing is stored', async (url) => {
    const before = await rows()
    expectProblem(await post(JSON.stringify({ url })), 422, 'url')
    expect(await rows()).toBe(before)
  })

  test('our own domain is refused, as destination and as expiredUrl, on creation and on edit', async () => {
    const own = `http://localhost:${app.port}/abc`
    const before = await rows()
    expectProblem(await post(JSON.stringify({ url: own })), 422, 'url')
    expectProblem(await post(JSON.stringify({ url: own.replace('localhost', 'LOCALHOST') })), 422, 'url')
    expectProblem(await post(JSON.stringify({ url: 'https://example.com', expiredUrl: own })), 422, 'expiredUrl')
    expect(await rows()).toBe(before)
    const link = await app.create({ url: 'https://example.com' })
    expectProblem(await app.manage('PATCH', link, { url: own }), 422, 'url')
    expect((await app.get(`/${link.code}`)).headers.location).toBe('https://example.com/')
  })
})

describe('custom codes', () => {
  test('taken is 409 and names the field', async () => {
    await app.create({ url: 'https://example.com/first', code: 'taken' })
    expectProblem(await post('{"url":"https://example.com/second","code":"taken"}'), 409, 'code')
    expect((await app.get('/taken')).headers.location).toBe('https://example.com/first')
  })

  test.each([
    'api',
    'API',
    'admin',
    'healthz',
    '_next',
    'dashboard/x',
    '4821',
    '000000',
    'a b',
    'a.b',
    'a//b',
    '/a',
    'a/',
    'a?b',
    'ü@',
    '',
    'x'.repeat(129),
  ])('%j is refused with 422', async (code) => {
    expectProblem(await post(JSON.stringify({ url: 'https://example.com', code })), 422, 'code')
  })

  test('the same code from 50 clients at once: one 201, 49 times 409, one row', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => app.api('POST', '/links', { url: `https://example.com/${i}`, code: 'race-me' })),
    )
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array(49).fill(409)])
    const stored = await query<{ url: string }>(servers.databaseUrl, "SELECT url FROM Link WHERE code = 'race-me'")
    expect(stored).toHaveLength(1)
    expect((await app.get('/race-me')).headers.location).toBe(stored[0]?.url)
  })
})

describe('requests for codes', () => {
  const selects = async () => {
    const [row] = await query<{ Value: string }>(servers.databaseUrl, "SHOW GLOBAL STATUS LIKE 'Com_select'")
    return Number(row?.Value)
  }

  test('an unknown code is 404: a page for browsers, text for others, and no query while the filter is trusted', async () => {
    const page = await app.get('/nothing-here', { accept: 'text/html,application/xhtml+xml' })
    expect(page.status).toBe(404)
    expect(page.headers['content-type']).toContain('text/html')
    expect(page.headers['cache-control']).toBe('no-store')
    expect(page.body).toContain('<h1>')
    const text = await app.get('/nothing-here', { accept: '*/*' })
    expect(text.status).toBe(404)
    expect(text.headers['content-type']).toContain('text/plain')

    const tier = async () =>
      Number(
        /outcome="not-found",tier="filter"\} (\d+)\n/.exec((await app.get('/metrics')).body.split('_count').join(''))?.[1] ?? 0,
      )
    await eventually(async () => {
      const before = await tier()
      await app.get(`/u${Math.random().toString(36).slice(2)}`)
      return (await tier()) > before
    }, Boolean)
    // The background reads of the outbox and the domains are a few a second; 500 misses must not add to them.
    const before = await selects()
    for (let i = 0; i < 500; i++) expect((await app.get(`/unknown-${i}`)).status).toBe(404)
    expect((await selects()) - before).toBeLessThan(100)
  })

  test.each([
    '/%',
    '/%zz',
    '/%c3%28',
    '/a%00b',
    '/..%2f..%2fetc',
    '/a/../../b',
    '/%2e%2e/x',
    `/${'a'.repeat(10_000)}`,
    '/a%5cb',
    '/a%20',
    '//',
    '/+',
    '/a+b',
    '/%F0%9F',
  ])('%j is 400 or 404', async (path) => {
    expect([400, 404]).toContain((await app.get(path)).status)
  })

  test('raw bytes that are hardly HTTP do not harm the process', async () => {
    const raws = [
      'GET /a\u0000b HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET /../../etc/passwd HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      'GET http://other.example/abc HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      'nonsense\r\n\r\n',
    ]
    for (const bytes of raws) expect(await raw(bytes)).toMatch(/^HTTP\/1\.1 4\d\d/)
    expect((await app.get('/healthz')).status).toBe(200)
  })

  test('other methods are 405 with Allow', async () => {
    const link = await app.create({ url: 'https://example.com/methods' })
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE']) {
      const answer = await request(app.port, `/${link.code}`, { method })
      expect(answer.status).toBe(405)
      expect(answer.headers.allow).toBe('GET, HEAD')
    }
  })

  test('addresses that the API does not have are 404 in its own form', async () => {
    expectProblem(await app.api('GET', '/nothing'), 404)
    expectProblem(await app.api('GET', '/links/nothing'), 404)
  })
})
