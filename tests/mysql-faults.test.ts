import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Answer, App, destination, eventually, type PrivateServers, privateServers, request, unknownCode } from './harness'
import { startProxy, type TcpProxy } from './proxy'

let servers: PrivateServers
let env: { DATABASE_URL: string; REDIS_URL: string }
let app: App
/** Keeps nothing in memory, so that it shows what Redis gives. */
let cold: App

beforeAll(async () => {
  servers = await privateServers()
  env = { DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl }
  app = await App.start(env)
  cold = await App.start({ ...env, ROLE: 'edge', CACHE_MB: '0' })
})

afterAll(async () => {
  for (const each of [app, cold]) expect(each?.log).not.toMatch(/unhandled|"level":60/i)
  expect(await Promise.all([app?.stop(), cold?.stop()])).toEqual([0, 0])
  await servers?.stop()
})

beforeEach(async () => {
  await Promise.all([app.trusted(), cold.trusted()])
})

function expectUnavailable(answer: Answer): void {
  expect([answer.status, answer.body]).toEqual([503, expect.any(String)])
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  expect(answer.headers['content-type']).toBe('application/problem+json')
  expect(JSON.parse(answer.body)).toMatchObject({ status: 503, code: 'unavailable' })
}

const creates = async (by: App) =>
  eventually(
    () => by.api('POST', '/links', { url: destination() }),
    ({ status }) => status === 201,
  )
const denies = async (by: App) =>
  eventually(
    () => by.get(`/${unknownCode()}`),
    ({ status }) => status === 404,
  )

describe.each([
  { how: 'stopped', away: () => servers.mariadb.stop(), back: () => servers.mariadb.start() },
  { how: 'frozen', away: () => servers.mariadb.kill('SIGSTOP'), back: () => servers.mariadb.kill('SIGCONT') },
])('MySQL $how', ({ away, back }) => {
  test('cached links redirect, creation is 503 with Retry-After, nothing is denied, and it recovers by itself', async () => {
    const link = await app.create({ url: destination() })
    const locked = await app.create({ url: destination(), password: 'sesame' })
    const limited = await app.create({ url: destination(), maxClicks: 2 })
    const deleted = await app.create({ url: destination() })
    await app.manage('DELETE', deleted)
    expect((await app.get(`/${link.code}`)).status).toBe(302)
    // What the last reading of the outbox names is served from no cache, and there will be no other.
    await Promise.all([app.trusted(), cold.trusted()])
    await away()
    try {
      expect((await app.get(`/${link.code}`)).status).toBe(302)
      expect(await app.answered('redirect', 'memory')).toBeGreaterThan(0)
      for (let i = 0; i < 20; i++) expect((await cold.get(`/${link.code}`)).headers.location).toBe(link.url)
      expect((await cold.get(`/${locked.code}`)).status).toBe(200)
      expect((await request(cold.port, `/${locked.code}`, { method: 'POST', body: 'password=sesame' })).status).toBe(303)
      expect((await cold.get(`/${deleted.code}`)).status).toBe(410)
      // Whether a click is left only MySQL knows: neither a redirect nor a denial.
      expect((await cold.get(`/${limited.code}`)).status).toBe(503)

      const begun = Date.now()
      expectUnavailable(await app.api('POST', '/links', { url: destination() }))
      expectUnavailable(await app.manage('PATCH', link, { title: 'x' }))
      expectUnavailable(await app.manage('DELETE', link))
      expectUnavailable(await app.manage('GET', link))
      expect(Date.now() - begun).toBeLessThan(15_000)

      // Whether Redis heard of everything cannot be known now, so its "no" is no answer.
      const unknown = await eventually(
        () => app.get(`/${unknownCode()}`),
        ({ status }) => status === 503,
        3_000,
      )
      expect(Number(unknown.headers['retry-after'])).toBeGreaterThan(0)
      expect(unknown.headers['cache-control']).toBe('no-store')
      expect((await app.get('/healthz')).status).toBe(200)
      const ready = await app.get('/readyz')
      expect([ready.status, JSON.parse(ready.body).dependencies.mysql.up]).toEqual([503, false])
    } finally {
      await back()
    }
    const made = JSON.parse((await creates(app)).body)
    await eventually(
      () => cold.get(`/${made.code}`),
      ({ headers }) => headers.location === made.url,
    )
    await Promise.all([denies(app), denies(cold)])
    await eventually(
      () => app.get('/readyz'),
      ({ status }) => status === 200,
    )
    expect((await cold.get(`/${limited.code}`)).status).toBe(302)
    expect((await app.manage('PATCH', link, { title: 'now' })).status).toBe(200)
  })
})

test('MySQL stopped and Redis flushed: a link that only MySQL has is 503, never 404, and one in memory goes on', async () => {
  const link = await app.create({ url: destination() })
  expect((await app.get(`/${link.code}`)).status).toBe(302)
  await servers.mariadb.stop()
  try {
    const client = new Redis(servers.redisUrl)
    await client.flushall()
    client.disconnect()
    for (let i = 0; i < 50; i++) expect((await cold.get(`/${link.code}`)).status).toBe(503)
    expect((await app.get(`/${link.code}`)).headers.location).toBe(link.url)
  } finally {
    await servers.mariadb.start()
  }
  await eventually(
    () => cold.get(`/${link.code}`),
    ({ headers }) => headers.location === link.url,
  )
})

test('MySQL and Redis both stopped: what is in memory redirects, though it is old, but nothing known to be deleted', async () => {
  const link = await app.create({ url: destination() })
  const deleted = await app.create({ url: destination() })
  for (const { code } of [link, deleted]) expect((await app.get(`/${code}`)).status).toBe(302)
  await app.manage('DELETE', deleted)
  await servers.redis.stop()
  await servers.mariadb.stop()
  try {
    const before = await app.answered('redirect', 'stale')
    // Past the time in which an entry in memory needs nobody to vouch for it.
    await eventually(
      async () => {
        expect((await app.get(`/${link.code}`)).headers.location).toBe(link.url)
        return app.answered('redirect', 'stale')
      },
      (stale) => stale > before + 20,
    )
    expect([410, 503]).toContain((await app.get(`/${deleted.code}`)).status)
    expect((await app.get(`/${unknownCode()}`)).status).toBe(503)
    expectUnavailable(await app.api('POST', '/links', { url: destination() }))
  } finally {
    await servers.mariadb.start()
    await servers.redis.start()
  }
  await creates(app)
  await denies(app)
  expect((await app.get(`/${deleted.code}`)).status).toBe(410)
})

test('Redis killed and back without its data, then MySQL frozen: what memory held all the while redirects', async () => {
  const link = await app.create({ url: destination() })
  const deleted = await app.create({ url: destination() })
  for (const { code } of [link, deleted]) expect((await app.get(`/${code}`)).status).toBe(302)
  await app.manage('DELETE', deleted)
  const data = join(servers.dir, 'redis')
  await servers.redis.kill('SIGKILL')
  rmSync(data, { recursive: true })
  mkdirSync(data)
  await servers.redis.start()
  // Until it hears of changes again, and so has noticed that it may have missed some.
  const client = new Redis(servers.redisUrl)
  await eventually(
    async () => String(await client.call('CLIENT', 'LIST', 'TYPE', 'pubsub')),
    (list) => list.split('\n').filter(Boolean).length >= 2,
  )
  client.disconnect()
  await servers.mariadb.kill('SIGSTOP')
  try {
    for (let i = 0; i < 5; i++) expect((await app.get(`/${link.code}`)).headers.location).toBe(link.url)
    expect([410, 503]).toContain((await app.get(`/${deleted.code}`)).status)
  } finally {
    await servers.mariadb.kill('SIGCONT')
  }
})

describe('connections that died without a word', () => {
  let mysql: TcpProxy
  let redis: TcpProxy
  let lone: App

  beforeAll(async () => {
    ;[mysql, redis] = await Promise.all([startProxy(servers.mariadb.port), startProxy(servers.redis.port)])
    lone = await App.start({
      DATABASE_URL: env.DATABASE_URL.replace(`:${servers.mariadb.port}/`, `:${mysql.port}/`),
      REDIS_URL: env.REDIS_URL.replace(`:${servers.redis.port}/`, `:${redis.port}/`),
    })
  })
  afterAll(async () => {
    await lone?.stop('SIGKILL')
    await Promise.all([mysql?.close(), redis?.close()])
  })

  test.each([
    ['MySQL', () => mysql],
    ['Redis', () => redis],
  ] as const)('to %s are given up, and new ones opened', async (_name, proxyOf) => {
    await lone.trusted()
    const link = await lone.create({ url: destination() })
    proxyOf().forget()
    expect((await lone.get(`/${link.code}`)).headers.location).toBe(link.url)
    await creates(lone)
    await lone.trusted()
    expect((await lone.get(`/${link.code}`)).headers.location).toBe(link.url)
  })
})

test('an edge process starts without MySQL and serves what Redis has', async () => {
  const link = await app.create({ url: destination() })
  await servers.mariadb.stop()
  try {
    const edge = await App.start({ ...env, ROLE: 'edge', BASE_URL: `http://localhost:${app.port}` })
    expect((await edge.get(`/${link.code}`)).headers.location).toBe(link.url)
    expect((await edge.get(`/${unknownCode()}`)).status).toBe(503)
    await edge.stop()
  } finally {
    await servers.mariadb.start()
  }
  await creates(app)
})
