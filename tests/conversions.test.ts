import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { BROWSER } from './clicks'
import { App, eventually, type PrivateServers, privateServers, query, request } from './harness'

vi.setConfig({ testTimeout: 120_000 })

let servers: PrivateServers
let key = ''
const apps: App[] = []

const start = async (env: Record<string, string> = {}) => {
  const app = await App.start({
    DATABASE_URL: servers.databaseUrl,
    REDIS_URL: servers.redisUrl,
    DATA_DIR: servers.dir,
    TRUSTED_PROXIES: '127.0.0.1',
    RATE_LIMIT: 'off',
    ...env,
  })
  apps.push(app)
  return app
}

beforeAll(async () => {
  servers = await privateServers()
})

afterAll(async () => {
  await Promise.all(apps.map((app) => app.stop()))
  await servers?.stop()
})

const visitor = (n: number, userAgent = BROWSER) => ({ 'x-forwarded-for': `198.51.100.${n}`, 'user-agent': userAgent })
const auth = () => ({ authorization: `Bearer ${key}` })
const created = async (app: App, fields: object) => {
  const answer = await app.call('POST', '/api/v1/links', fields, auth())
  expect(answer.status).toBe(201)
  return JSON.parse(answer.body) as { code: string }
}

/** Follows a link. @returns the ID of the click, null where the destination was told none */
async function follow(
  app: App,
  code: string,
  n: number,
  method = 'GET',
  more: Record<string, string> = {},
): Promise<string | null> {
  const answer = await app.call(method, `/${code}`, undefined, { ...visitor(n), ...more })
  expect([301, 302]).toContain(answer.status)
  expect(answer.headers['cache-control']).toBe('private, no-store')
  expect(answer.headers['cdn-cache-control']).toBeUndefined()
  return new URL(String(answer.headers.location)).searchParams.get('click_id')
}

const report = (app: App, conversions: object[], headers = {}) =>
  app.call('POST', '/api/v1/conversions', { conversions }, { ...auth(), ...headers })
const stats = async (app: App, code: string) =>
  JSON.parse((await app.call('GET', `/api/v1/links/${code}/stats`, undefined, auth())).body) as {
    totals: { clicks: number; bots: number }
    conversions: { conversions: number; converted: number; rate: number | null; revenue: { currency: string; value: string }[] }
  }

async function newKey(app: App): Promise<string> {
  const who = { name: 'Someone', email: `k${apps.length}@example.com`, password: 'a long enough password' }
  const signedUp = await app.call('POST', '/api/auth/sign-up/email', who)
  const cookie = (signedUp.headers['set-cookie'] ?? []).map((one) => one.split(';', 1)[0]).join('; ')
  const made = await app.call('POST', '/api/v1/account/keys', { name: 'shop', scope: 'write' }, { cookie })
  expect(made.status, made.body).toBe(201)
  return (JSON.parse(made.body) as { key: string }).key
}

test('a conversion counts once although every process is killed and Redis forgets everything, before its click or after', async () => {
  const [one, two] = [await start({ CDN_CACHE_SECONDS: '60' }), await start()]
  key = await newKey(one)
  const { code } = await created(one, {
    url: 'https://example.com/?click_id=old&a=1#f',
    redirectStatus: 301,
    routing: { clickId: {} },
  })
  const ids: string[] = []
  for (let n = 0; n < 10; n++) ids.push((await follow(n % 2 ? one : two, code, n)) ?? '')
  expect(new Set(ids).size).toBe(10)
  const sale = (clickId: string | undefined, n: number) => ({ clickId, eventId: `order-${n}`, value: '10.50', currency: 'EUR' })
  // At both, twice each, while one of them is killed.
  const first = ids.slice(0, 5).map((id, n) => sale(id, n))
  const sent = [one, two, one, two].map((app) => report(app, first).catch(() => null))
  await one.stop('SIGKILL')
  await Promise.all(sent)
  const redis = new Redis(servers.redisUrl)
  await redis.flushall()
  redis.disconnect()
  await two.stop('SIGKILL')
  const again = await start()
  const answer = JSON.parse((await report(again, [...first, ...ids.slice(0, 3).map((id, n) => sale(id, n + 5))])).body)
  expect(answer).toMatchObject({ refused: 0 })
  expect(answer.counted + answer.repeated).toBe(8)
  expect((await stats(again, code)).conversions).toMatchObject({
    conversions: 8,
    converted: 5,
    revenue: [{ currency: 'EUR', value: '84.00' }],
  })
  const rows = await query<{ n: bigint }>(servers.databaseUrl, 'SELECT COUNT(*) AS n FROM Conversion')
  expect(Number(rows[0]?.n)).toBe(8)
})

test('what is not counted as a click of a person gets no ID, so that the rate is one of clicks', async () => {
  const app = await start()
  const { code } = await created(app, {
    url: 'https://example.com/',
    routing: { clickId: { parameter: 'tid' }, query: 'forward' },
  })
  const idOf = async (method: string, more: Record<string, string>, path = `/${code}`) => {
    const answer = await app.call(method, path, undefined, { ...visitor(1), ...more })
    return new URL(String(answer.headers.location)).searchParams.getAll('tid')
  }
  const [own, ...none] = await idOf('GET', {}, `/${code}?tid=mine&x=1`)
  expect(own).toMatch(/^[\w-]{52}$/)
  expect(none).toEqual([])
  expect(await idOf('HEAD', {})).toEqual([])
  expect(await idOf('GET', { 'sec-purpose': 'prefetch' })).toEqual([])
  expect(await idOf('GET', { 'user-agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' })).toEqual([])
  await report(app, [{ clickId: own }, { clickId: own, name: 'again' }])
  const told = await eventually(
    () => stats(app, code),
    ({ totals }) => totals.clicks === 2,
  )
  expect(told.totals.bots).toBe(1)
  expect(told.conversions).toMatchObject({ conversions: 2, converted: 1, rate: 1 })
})

test('a click has its ID with Redis gone, and its conversion is counted then', async () => {
  const app = await start()
  const { code } = await created(app, { url: 'https://example.com/', routing: { clickId: {} } })
  await follow(app, code, 1)
  const gone = await start({ REDIS_URL: 'redis://127.0.0.1:1' })
  const clickId = await follow(gone, code, 2)
  expect(clickId).not.toBeNull()
  expect(JSON.parse((await report(gone, [{ clickId }])).body)).toMatchObject({ counted: 1 })
})

test('a body that is nested too deeply is refused, with a key or without', async () => {
  const app = await start()
  const body = `{"conversions":[${'['.repeat(8_000)}${']'.repeat(8_000)}]}`
  for (const more of [{}, { 'idempotency-key': 'deep' }] as Record<string, string>[]) {
    const headers = { ...auth(), 'content-type': 'application/json', ...more }
    for (const path of ['/api/v1/conversions', '/api/v1/links']) {
      const answer = await request(app.port, path, { method: 'POST', headers, body })
      expect([answer.status, answer.body]).toEqual([400, expect.stringContaining('nested too deeply')])
    }
  }
})

test('a report is answered the same for its key, and refused whole where nothing in it counts', async () => {
  const app = await start()
  const { code } = await created(app, { url: 'https://example.com/', routing: { clickId: {} } })
  const clickId = await follow(app, code, 1)
  const headers = { 'idempotency-key': 'one' }
  const body = [{ clickId }, { clickId: 'x', value: '1' }]
  const [one, two] = [await report(app, body, headers), await report(app, body, headers)]
  expect([one.status, two.status, two.headers['idempotency-replayed']]).toEqual([200, 200, 'true'])
  expect(two.body).toBe(one.body)
  expect((await report(app, [{ clickId }], headers)).status).toBe(422)
  const refused = await report(app, [{ clickId: 'x' }])
  expect(refused.status).toBe(422)
  expect(JSON.parse(refused.body).errors).toEqual([
    { path: 'conversions.0.clickId', message: 'This click ID isn’t one that this site created.' },
  ])
  expect((await app.call('POST', '/api/v1/conversions', { conversions: [{ clickId }] })).status).toBe(401)
  expect((await stats(app, code)).conversions).toMatchObject({ conversions: 1 })
})
