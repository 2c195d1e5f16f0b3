import { afterAll, beforeAll, expect, test } from 'vitest'
import { App, destination, eventually, ownServers, query, type Servers, unknownCode } from './harness'

let servers: Servers
let app: App

beforeAll(async () => {
  servers = await ownServers()
  const env = { DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl }
  app = await App.start({ ...env, TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'info' })
})

afterAll(async () => {
  await app?.stop()
  await servers?.stop()
})

type Line = Record<string, unknown> & { msg?: string }

const linesOf = (requestId: unknown) =>
  app.log.split('\n').flatMap((line): Line[] => {
    if (!line.startsWith('{')) return []
    const parsed = JSON.parse(line) as Line
    return parsed.requestId === requestId ? [parsed] : []
  })

const logged = (requestId: unknown, msg: string) => eventually(() => linesOf(requestId).find((line) => line.msg === msg), Boolean)

/** While a table has another name, what needs it fails for a reason that nobody foresaw. */
async function without<T>(table: string, work: () => Promise<T>): Promise<T> {
  await query(servers.databaseUrl, `RENAME TABLE ${table} TO ${table}_away`)
  try {
    return await work()
  } finally {
    await query(servers.databaseUrl, `RENAME TABLE ${table}_away TO ${table}`)
  }
}

test('a refusal names its request in header, body and log', async () => {
  const { status, headers, body } = await app.api('POST', '/links', { url: 'nonsense' })
  const { requestId } = JSON.parse(body)
  expect(status).toBe(422)
  expect(requestId).toMatch(/^[\w-]{12}$/)
  expect(headers['x-request-id']).toBe(requestId)
  await logged(requestId, 'api')
  for (const path of ['/nowhere', '/links?limit=x']) {
    const answer = await app.api('GET', path)
    expect(JSON.parse(answer.body).requestId).toBe(answer.headers['x-request-id'])
  }
})

test.each([
  ['an unknown address', 'GET', '/api/v1/nowhere', 404, 'api'],
  ['a method that there is not', 'PUT', '/api/v1/links', 405, 'api'],
  ['a form of an account that is refused', 'POST', '/api/auth/sign-in/email', 400, 'api'],
  ['an address that nobody can read', 'GET', '/api/v1/%zz', 400, 'refused'],
])('%s is in the log under the id of the answer', async (_, method, path, status, msg) => {
  const answer = await app.call(method, path)
  expect([answer.status, answer.headers['x-request-id']]).toEqual([status, expect.stringMatching(/^[\w-]{12}$/)])
  expect(await logged(answer.headers['x-request-id'], msg)).toMatchObject({ status })
})

test.each([
  ['a request with too many parameters', () => `/invite/SECRET?${'a&'.repeat(120)}`, {}],
  ['a request with too many cookies', () => '/invite/SECRET', { cookie: 'a=b; '.repeat(120) }],
  ['an address that nobody can read', () => '/invite/SECRET%zz', {}],
])('%s is refused, and no path of a page is in the log', async (_, path, headers) => {
  const answer = await app.call('GET', path(), undefined, headers)
  expect(answer.status).toBe(400)
  const line = await logged(answer.headers['x-request-id'], 'refused')
  expect(line).toMatchObject({ method: 'GET', reason: expect.stringMatching(/^api\.request\./) })
  expect(JSON.stringify(line)).not.toMatch(/SECRET|invite/)
})

test.each([
  ['GET', '/api/v1/links/SECRET', '/api/v1/links/{code}'],
  ['PUT', '/api/v1/links/SECRET', '/api/v1/links/{code}'],
  ['GET', '/api/v1/SECRET', 'none'],
  ['GET', '/api/v1/links/SECRET/nowhere', 'none'],
  ['GET', '/api/auth/get-session', '/api/auth/get-session'],
  ['GET', '/api/auth/reset-password/SECRET', '/api/auth/*'],
])('%s %s is in the log as %s', async (method, path, pattern) => {
  const { headers } = await app.call(method, path)
  const line = await logged(headers['x-request-id'], 'api')
  expect(line?.path).toBe(pattern)
  expect(JSON.stringify(line)).not.toContain('SECRET')
})

test('a fault is told by its reference, under which the log has the error', async () => {
  const { code } = await app.create({ url: destination() })
  const report = () => app.api('POST', '/reports', { shortUrl: code, reason: 'spam' })
  const { status, headers, body } = await without('Report', report)
  const { detail, requestId } = JSON.parse(body)
  expect(status).toBe(500)
  expect(detail).toContain(requestId)
  expect(headers['x-request-id']).toBe(requestId)
  expect(await logged(requestId, 'an API request failed')).toMatchObject({ err: { message: expect.stringContaining('report') } })
})

test('the id that a trusted proxy gives is kept, and nobody else’s', async () => {
  const given = { 'x-request-id': 'abc-123.def' }
  const ofProxy = await app.api('GET', '/nowhere', undefined, { ...given, 'x-forwarded-for': '203.0.113.9' })
  expect(ofProxy.headers['x-request-id']).toBe('abc-123.def')
  expect(JSON.parse(ofProxy.body).requestId).toBe('abc-123.def')
  const env = { DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl }
  const alone = await App.start(env)
  const ofClient = await alone.api('GET', '/nowhere', undefined, given)
  expect(ofClient.headers['x-request-id']).toMatch(/^[\w-]{12}$/)
  await alone.stop()
})

test('a page that fails shows the reference under which the log has it', async () => {
  const page = await without('User', () => app.get('/@12345678', { accept: 'text/html' }))
  expect(page.status).toBe(500)
  const line = await logged(page.headers['x-request-id'], 'a page failed')
  expect(line?.reference).toMatch(/^\w+$/)
  expect(page.body).toContain(String(line?.reference))
})

test('a request for a code that fails is told by its reference; a redirect has no id', async () => {
  const link = await app.create({ url: destination() })
  expect((await app.get(`/${link.code}`)).headers).not.toHaveProperty('x-request-id')
  const { status, headers, body } = await without('Link', async () => {
    await servers.redis.stop()
    return await app.get(`/${unknownCode()}`)
  })
  await servers.redis.start()
  expect(status).toBe(500)
  expect(body).toContain(String(headers['x-request-id']))
  await logged(headers['x-request-id'], 'a request for a code failed')
})
