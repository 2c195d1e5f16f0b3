import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { App, destination, ownServers, type Servers, unknownCode } from './harness'

let servers: Servers
let app: App
const TOKEN = 'a token for the metrics, not short'
const HSTS = 'max-age=31536000'

beforeAll(async () => {
  servers = await ownServers()
  app = await App.start({
    DATABASE_URL: servers.databaseUrl,
    REDIS_URL: servers.redisUrl,
    BASE_URL: 'https://short.example',
    TRUSTED_PROXIES: '127.0.0.1,192.0.2.0/24',
    METRICS_TOKEN: TOKEN,
  })
})

afterAll(async () => {
  await app?.stop()
  await servers?.stop()
})

const OUTSIDE = { 'x-forwarded-for': '203.0.113.9' }

describe('metrics and the state of each dependency', () => {
  test.each([
    ['through a proxy', '/metrics', OUTSIDE],
    ['with a query', '/metrics?x=1', OUTSIDE],
    ['with an address that the client wrote itself', '/metrics', { 'x-forwarded-for': '127.0.0.1, 203.0.113.9' }],
    ['with another header of a proxy', '/metrics', { forwarded: 'for=203.0.113.9' }],
    ['with a token that is wrong', '/metrics', { ...OUTSIDE, authorization: `Bearer ${TOKEN}x` }],
    ['with no bearer token', '/metrics', { ...OUTSIDE, authorization: `Basic ${TOKEN}` }],
  ])('are refused to strangers: %s', async (_, path, headers) => {
    const { status, body } = await app.get(path, headers)
    expect(status).toBe(403)
    expect(body).not.toContain('terse_')
  })

  test.each([
    ['this machine', {}],
    ['a trusted proxy’s neighbour', { 'x-forwarded-for': '192.0.2.7' }],
    ['who has the token', { ...OUTSIDE, authorization: `Bearer ${TOKEN}` }],
  ])('are told to %s', async (_, headers) => {
    expect((await app.get('/metrics', headers)).body).toContain('terse_redirect_duration_seconds')
    expect(JSON.parse((await app.get('/readyz', headers)).body)).toMatchObject({ dependencies: { mysql: { up: true } } })
  })

  test('are to strangers whether it is ready, and no more', async () => {
    for (const path of ['/readyz', '/readyz?x=1']) {
      const { status, body } = await app.get(path, OUTSIDE)
      expect([status, JSON.parse(body)]).toEqual([200, { status: 'ok' }])
    }
    expect((await app.get('/healthz', OUTSIDE)).status).toBe(200)
  })
})

describe('with an https BASE_URL', () => {
  test('every answer tells browsers to come by https only', async () => {
    const link = await app.create({ url: destination() })
    await app.get(`/${link.code}`)
    const paths = [
      `/${link.code}`,
      `/${link.code}+`,
      `/${unknownCode()}`,
      '/%',
      '/',
      '/healthz',
      '/metrics',
      '/readyz',
      '/docs',
      '/%zz/x',
    ]
    for (const path of [...paths, '/api/v1/links', '/api/v1/openapi.json', '/robots.txt']) {
      expect((await app.get(path)).headers['strict-transport-security'], path).toBe(HSTS)
    }
    expect((await app.call('DELETE', `/${link.code}`)).headers['strict-transport-security']).toBe(HSTS)
  })
})
