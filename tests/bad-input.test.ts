import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, App, eventually, ownServers, query, request, type Servers, unknownCode } from './harness'
import { startProxy, type TcpProxy } from './proxy'

let servers: Servers
/** Everything that the app says to MySQL goes by here. */
let sql: TcpProxy
let app: App

beforeAll(async () => {
  servers = await ownServers()
  sql = await startProxy(Number(new URL(servers.databaseUrl).port))
  const databaseUrl = servers.databaseUrl.replace(/:\d+\//, `:${sql.port}/`)
  app = await App.start({ DATABASE_URL: databaseUrl, REDIS_URL: servers.redisUrl })
})

afterAll(async () => {
  expect(await app?.stop()).toBe(0)
  await sql?.close()
  await servers?.stop()
})

const post = (body: string, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
  request(app.port, '/api/v1/links', { method: 'POST', headers, body })
const postLink = (fields: unknown) => post(JSON.stringify(fields))

async function rows(): Promise<unknown> {
  const tables = ['Link', 'DeletedLink', 'IdempotencyKey', 'Outbox', 'Domain']
  const counts = tables.map((table) => `(SELECT COUNT(*) FROM ${table}) AS ${table}`)
  return (await query(servers.databaseUrl, `SELECT ${counts.join(', ')}`))[0]
}

/** Rows for `test.each`, each headed by a name that fits on a line. */
const named = (values: string[]) => values.map((value) => [value.slice(0, 40), value] as const)

/** Runs `work`, after which every table has as many rows as before and the process is alive. */
async function storingNothing(work: () => Promise<void>): Promise<void> {
  const before = await rows()
  await work()
  expect(await rows()).toEqual(before)
  expect(app.alive).toBe(true)
}

function expectProblem(answer: Answer, status: number, path?: string): void {
  expect([answer.status, answer.body]).toEqual([status, expect.any(String)])
  expect(answer.headers['content-type']).toBe('application/problem+json')
  const problem = JSON.parse(answer.body)
  const text = expect.stringMatching(/./)
  expect(problem).toMatchObject({ type: text, title: text, status, detail: text, code: expect.stringMatching(/^[a-z_]+$/) })
  expect(answer.body).not.toMatch(/\bat .*\.js:|node_modules|prisma/i)
  if (path === undefined) return
  expect(problem.errors).toContainEqual({ path, message: text })
}

describe('bodies that break off', () => {
  const clients = 5

  test.each(['content-length: 500', 'transfer-encoding: chunked'])('are no fault of ours: %s', async (length) => {
    const refused = () => app.metric('terse_api_duration_seconds_count{method="POST",status="400"}')
    const before = await refused()
    for (let i = 0; i < clients; i++) {
      const head = `POST /api/v1/links HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n${length}\r\n\r\n`
      const socket = connect(app.port, '127.0.0.1')
      socket.write(`${head}5\r\n{"url\r\n`, () => socket.destroy())
    }
    await eventually(refused, (count) => count === before + clients)
    expect(app.log).not.toContain('failed')
  })
})

describe('bodies that cannot be used', () => {
  test.each<[string, number, Record<string, string>?]>([
    ['{"url":', 400],
    ['', 400],
    ['['.repeat(60_000), 400],
    ['https://example.com', 400],
    ['url=https://example.com', 415, { 'content-type': 'application/x-www-form-urlencoded' }],
    ['{"url":"https://example.com"}', 415, { 'content-type': 'text/plain' }],
    ['{"url":"https://example.com"}', 415, {}],
    ['{"url":"https://example.com"}', 400, { 'content-type': 'application/json', 'idempotency-key': '' }],
    ['{"url":"https://example.com"}', 400, { 'content-type': 'application/json', 'idempotency-key': 'k'.repeat(256) }],
  ])('%j is %i and stores nothing', (body, status, headers) =>
    storingNothing(async () => expectProblem(await post(body, headers), status)),
  )

  test.each<[unknown, string]>([
    [{}, 'url'],
    [{ url: 7 }, 'url'],
    [{ url: null }, 'url'],
    [{ url: ['https://example.com'] }, 'url'],
    [[], ''],
    ['https://example.com', ''],
    [null, ''],
    ...Object.entries({
      title: [7, 'x'.repeat(256)],
      code: [7, null],
      domain: ['elsewhere.example', 7],
      maxClicks: ['3', 0, -1, 1.5, 1e12],
      redirectStatus: [303, 200, '302'],
      expiresAt: ['tomorrow', 1_800_000_000, '2001-01-01T00:00:00Z', '2090-02-30T00:00:00Z', '2090-01-01T00:00:00'],
      startsAt: ['soon', '0000-01-01T00:00:00Z'],
      password: ['', 'x'.repeat(257), 7],
      reuse: ['yes'],
      expiredUrl: ['javascript:alert(1)', '/relative'],
      clicks: [7],
      manageToken: ['mine'],
      __proto: [{}],
    }).flatMap(([path, values]) =>
      values.map((value): [unknown, string] => [{ url: 'https://example.com', [path]: value }, path]),
    ),
  ])('%j is 422 and names the path %j', (body, path) =>
    storingNothing(async () => expectProblem(await postLink(body), 422, path)),
  )

  test('a link that would end before it starts names the end', () =>
    storingNothing(async () => {
      const times = { startsAt: '2090-01-02T00:00:00Z', expiresAt: '2090-01-01T00:00:00Z' }
      expectProblem(await postLink({ url: 'https://example.com', ...times }), 422, 'expiresAt')
    }))

  test('over 64 KB is 413, with its length announced, without, and announced but not sent', () =>
    storingNothing(async () => {
      const big = JSON.stringify({ url: `https://example.com/${'a'.repeat(70_000)}` })
      expectProblem(await post(big), 413)
      expectProblem(await post(big, { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }), 413)
      const head = 'POST /api/v1/links HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
      expect(await raw(`${head}Content-Length: 1000000000\r\n\r\n{`)).toMatch(/^HTTP\/1\.1 413 /)
    }))

  test('what is just not too long is read', async () => {
    const padding = ' '.repeat(64 * 1024 - 29)
    expect((await post(`{"url":"https://example.com"${padding}}`)).status).toBe(201)
    expectProblem(await post(`{"url":"https://example.com"${padding} }`), 413)
  })
})

describe('destinations', () => {
  const bad = [
    ...['javascript:alert(1)', 'JaVaScRiPt:alert(1)', ' javascript:alert(1)', 'data:text/html,hi', 'file:///etc/passwd'],
    ...['ftp://example.com/', 'mailto:a@example.com', '/relative', '//example.com/x', 'example.com', '', ' ', 'https://'],
    ...['http://user:pw@host.example/', 'http://user@host.example/', 'http://:pw@host.example/', 'http://a b.example/'],
    ...['https://exa\nmple.com/', 'https://example.com/\t', 'https://example.com/\u0000', 'https://example.com/\u0085'],
    ...['http://[::1', 'http://256.256.256.256/', 'http://example.com:99999/', `https://example.com/${'a'.repeat(8_192)}`],
    `https://example.com/${'ü'.repeat(2_000)}`, // too long once encoded
  ]
  test.each(named(bad))('%j is refused with 422 on creation and nothing is stored', (_name, url) =>
    storingNothing(async () => expectProblem(await postLink({ url }), 422, 'url')),
  )

  test('none of them gets in by an edit, nor as expiredUrl', async () => {
    const link = await app.create({ url: 'https://example.com/stays' })
    for (const url of bad) {
      expectProblem(await app.manage('PATCH', link, { url }), 422, 'url')
      expectProblem(await app.manage('PATCH', link, { expiredUrl: url }), 422, 'expiredUrl')
    }
    expectProblem(await app.manage('PATCH', link, {}), 422, '')
    expectProblem(await app.manage('PATCH', link, { code: 'other' }), 422, 'code')
    expect((await app.get(`/${link.code}`)).headers.location).toBe('https://example.com/stays')
  })

  test('our own domain is refused however it is written, on creation, as expiredUrl and on an edit', () =>
    storingNothing(async () => {
      const port = app.port
      for (const host of [
        `localhost:${port}`,
        `LOCALHOST:${port}`,
        `localhost.:${port}`,
        `localhost:0${port}`,
        `loc%61lhost:${port}`,
        `127.0.0.1:${port}`,
        `[::1]:${port}`,
      ]) {
        expectProblem(await postLink({ url: `http://${host}/abc` }), 422, 'url')
        expectProblem(await postLink({ url: 'https://example.com', expiredUrl: `http://${host}/` }), 422, 'expiredUrl')
      }
    }))
})

describe('custom codes', () => {
  const bad = [
    ...['api', 'API', 'admin', 'healthz', '_next', 'dashboard/x', 'robots.txt', 'favicon.ico'],
    ...['0', '4821', '000000'],
    ...[
      'a b',
      'a.qr',
      'a//b',
      '/a',
      'a/',
      '/',
      '..',
      'a/../b',
      'a?b',
      'a#b',
      'a%b',
      'a+',
      'a\\b',
      'a\u0000',
      '\ud800',
      '',
      '\u200d',
    ],
    'x'.repeat(129),
  ]
  test.each(named(bad))('%j is refused with 422', (_name, code) =>
    storingNothing(async () => expectProblem(await postLink({ url: 'https://example.com', code }), 422, 'code')),
  )

  test('taken is 409, names the field, and leaves the link that has it alone', async () => {
    await app.create({ url: 'https://example.com/first', code: 'taken' })
    await storingNothing(async () => {
      expectProblem(await postLink({ url: 'https://example.com/second', code: 'taken' }), 409, 'code')
    })
    expect((await app.get('/taken')).headers.location).toBe('https://example.com/first')
    // Byte for byte: another case is another code.
    expect((await postLink({ url: 'https://example.com/third', code: 'Taken' })).status).toBe(201)
  })

  test('the same code from 50 clients at once: one 201, 49 times 409, one row', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => postLink({ url: `https://example.com/${i}`, code: 'race-me' })),
    )
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array(49).fill(409)])
    for (const answer of answers) if (answer.status === 409) expectProblem(answer, 409, 'code')
    const stored = await query<{ url: string }>(servers.databaseUrl, "SELECT url FROM Link WHERE code = 'race-me'")
    expect(stored).toHaveLength(1)
    const winner = answers.find((answer) => answer.status === 201)
    expect(stored[0]?.url).toBe(JSON.parse(winner?.body ?? '').url)
    expect((await app.get('/race-me')).headers.location).toBe(stored[0]?.url)
  })
})

test('an unknown code is 404: a page for browsers, text for others; never one that may be kept', async () => {
  const page = await app.get('/nothing-here', { accept: 'text/html,application/xhtml+xml' })
  expect(page).toMatchObject({ status: 404, headers: { 'cache-control': 'no-store', vary: 'Accept, Accept-Language' } })
  expect(page.headers['content-type']).toContain('text/html')
  expect(page.body).toContain('<h1>')
  const text = await app.get('/nothing-here', { accept: '*/*' })
  expect(text).toMatchObject({ status: 404, headers: { 'cache-control': 'no-store' } })
  expect(text.headers['content-type']).toContain('text/plain')
  expect(text.body).not.toContain('<')
})

test('an unknown code costs no database query while the filter is trusted', async () => {
  await app.trusted()
  const codes = Array.from({ length: 500 }, unknownCode)
  for (const code of codes) expect((await app.get(`/${code}`)).status).toBe(404)
  expect(codes.filter((code) => sql.carried(code) > 0)).toEqual([])
  // What asks MySQL is seen here: the same codes, asked of the API.
  const [asked = ''] = codes
  expectProblem(await app.api('GET', `/links/${asked}`, undefined, { authorization: 'Bearer x' }), 404)
  expect(sql.carried(asked)).toBeGreaterThan(0)
})

/** What a raw socket gets for exactly these bytes; our side stays open, as of one that has more to send. */
function raw(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(app.port, '127.0.0.1', () => socket.write(Buffer.from(bytes, 'latin1')))
    let text = ''
    socket.setTimeout(5_000, () => socket.destroy(new Error(`no answer to ${bytes.slice(0, 60)}`)))
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      if (text.includes('\r\n\r\n')) socket.destroy()
    })
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
  })
}

describe('requests that are hardly HTTP', () => {
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
  test.each([
    ...'/% /%zz /%c3%28 /%F0%9F /a%00b /a%0d%0aLocation:%20x /a%5cb /a%20'.split(' ').map(get),
    ...'/.. /../../etc/passwd /a/../../b /..%2f..%2fetc /%2e%2e/x /a/.. // //example.com /+ /a+b'.split(' ').map(get),
    ...'/docs/%zz /_next/static/%zz /_next/static/..%2f..%2fpackage.json /_next/image?url=%zz /.well-known/%c3'
      .split(' ')
      .map(get),
    ...[`/${'a'.repeat(10_000)}`, `/${'%61'.repeat(3_000)}`, `/${'a/'.repeat(5_000)}`, `/x?${'q'.repeat(10_000)}`].map(get),
    ...['/api/v1/links/%zz', '/api/v1/links/%00', '/api/v1/links/..%2f..', `/api/v1/links/${'a'.repeat(10_000)}`].map(get),
    ...['/a\u0000b', '/a\u00ffb', 'a', 'http://other.example/abc', '/a b'].map(get),
    `GET /a HTTP/1.1\r\nHost: x\r\nX: ${'h'.repeat(100_000)}\r\nConnection: close\r\n\r\n`,
    'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n',
    'BREW /a HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET /a HTTP/1.1\r\n\r\n',
    'GET /a HTTP/9.9\r\nHost: x\r\n\r\n',
    'POST /api/v1/links HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    'POST /api/v1/links HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'nonsense\r\n\r\n',
  ])('%# is refused with 4xx, and harms nothing', (bytes) =>
    storingNothing(async () => {
      const [answer] = (await raw(bytes)).split('\r\n', 1)
      // Node closes the connection of a client that asks for a tunnel, without a word.
      const right = bytes.startsWith('CONNECT') ? /^$/ : /^HTTP\/1\.1 4\d\d /
      expect({ bytes: bytes.slice(0, 80), answer }).toEqual({ bytes: bytes.slice(0, 80), answer: expect.stringMatching(right) })
      expect((await app.get('/healthz')).status).toBe(200)
    }),
  )

  test('other methods are 405 with Allow, in the lane and in the API', async () => {
    const link = await app.create({ url: 'https://example.com/methods' })
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND']) {
      const answer = await request(app.port, `/${link.code}`, { method })
      expect([method, answer.status, answer.headers.allow]).toEqual([method, 405, 'GET, HEAD'])
    }
    for (const [method, path, allowed] of [
      ['PUT', '/links', 'POST'],
      ['POST', `/links/${link.code}`, 'PATCH'],
      ['GET', `/links/${link.code}/restore`, 'POST'],
    ] as const) {
      const answer = await app.api(method, path)
      expectProblem(answer, 405)
      expect(answer.headers.allow).toContain(allowed)
    }
  })

  test('thousands of query parameters or cookies are refused before anything reads them', async () => {
    const short = Array.from({ length: 2_800 }, (_, i) => i.toString(36))
    const cookie = short.map((name) => `${name}=1`).join(';')
    for (const path of ['/', '/sign-in', '/api/v1/links', '/api/auth/get-session', '/api/nope', '/_next/static/x.js']) {
      expect((await app.get(`${path}?${short.join('&')}`)).status).toBe(400)
      expect((await app.get(path, { cookie })).status).toBe(400)
    }
    expect((await app.call('POST', `/?${short.join('&')}`, {})).status).toBe(400)
  })

  test('what the API does not have is 404 in its own form, and a bad page 4xx', async () => {
    expectProblem(await app.api('GET', '/nothing'), 404)
    const bearer = { authorization: 'Bearer x' }
    expectProblem(await app.api('GET', '/links/nothing', undefined, bearer), 404)
    expectProblem(await app.api('GET', '/links?limit=many', undefined, bearer), 422, 'limit')
    expectProblem(await app.api('GET', '/links?limit=0', undefined, bearer), 422, 'limit')
    expectProblem(await app.api('GET', '/links?cursor=x', undefined, bearer), 400)
    expectProblem(await app.api('GET', '/links?colour=red', undefined, bearer), 422, 'colour')
  })
})
