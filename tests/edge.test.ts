import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { proxyTo } from '@/lib/testing/proxy'
import { testRedis } from '@/lib/testing/redis'
import { BROWSER, counted } from './clicks'
import { type Answer, App, destination, eventually, ownServers, type Servers } from './harness'

/** There and back, in ms. */
const FAR = 150

let servers: Servers
let home: App
let toMysql: Awaited<ReturnType<typeof proxyTo>>
let toRedis: Awaited<ReturnType<typeof proxyTo>>
/** With a Redis of its own. */
let edge: App
/** The same, and keeps nothing in memory. */
let cold: App
/** With the centre's Redis alone. */
let plain: App
const near = await testRedis()
const folder = mkdtempSync(join(tmpdir(), 'terse-edge-'))

beforeAll(async () => {
  servers = await ownServers()
  home = await App.start({ DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl })
  await home.trusted()
  toMysql = await proxyTo(servers.databaseUrl)
  toRedis = await proxyTo(servers.redisUrl)
  for (const proxy of [toMysql, toRedis]) proxy.delay(FAR / 2)
  const far = { ROLE: 'edge', DATABASE_URL: toMysql.url, REDIS_URL: toRedis.url, BASE_URL: `http://localhost:${home.port}` }
  const start = (name: string, given: Record<string, string>) => App.start({ ...far, DATA_DIR: join(folder, name), ...given })
  edge = await start('edge', { EDGE_REDIS_URL: near.url })
  cold = await start('cold', { EDGE_REDIS_URL: near.url, CACHE_MB: '0' })
  plain = await start('plain', {})
})

afterAll(async () => {
  for (const app of [edge, cold, plain]) expect(app?.log).not.toMatch(/unhandled|"level":(50|60)/i)
  expect(await Promise.all([edge?.stop(), cold?.stop(), plain?.stop(), home?.stop()])).toEqual([0, 0, 0, 0])
  await servers?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const follow = (app: App, code: string): Promise<Answer> => app.get(`/${code}`, { 'user-agent': BROWSER })

const captured = async (app: App) => ({
  redis: await app.metric('terse_clicks_captured_total{to="redis"}'),
  spool: await app.metric('terse_clicks_captured_total{to="spool"}'),
  lost: await app.metric('terse_clicks_captured_total{to="lost"}'),
})

/** Holds when `code` is answered so within a second and the way of the news. */
const sees = (app: App, code: string, holds: (answer: Answer) => boolean) =>
  eventually(() => app.get(`/${code}`), holds, 1_000 + FAR)

describe(`an edge process ${FAR} ms from everything`, () => {
  test('finds links in the far Redis, and its clicks go there alone, each counted once', async () => {
    const link = await home.create({ url: destination() })
    for (let i = 0; i < 30; i++) expect((await follow(plain, link.code)).headers.location).toBe(link.url)
    expect(await captured(plain)).toEqual({ redis: 30, spool: 0, lost: 0 })
    expect(await plain.answered('redirect', 'mysql')).toBe(0)
    await counted(servers, link.code, 30)
    expect(await home.metric('terse_click_batches_repeated_total')).toBe(0)
  })

  test('with a Redis nearby redirects from there, without asking the far one', async () => {
    const link = await home.create({ url: destination() })
    expect((await cold.get(`/${link.code}`)).headers.location).toBe(link.url)
    await eventually(
      async () => {
        await cold.get(`/${link.code}`)
        return cold.answered('redirect', 'nearby')
      },
      (answers) => answers > 0,
    )
    const asked = toRedis.carried(link.code)
    const before = await cold.answered('redirect', 'nearby')
    for (let i = 0; i < 20; i++) expect((await follow(cold, link.code)).headers.location).toBe(link.url)
    expect((await cold.answered('redirect', 'nearby')) - before).toBe(20)
    expect(toRedis.carried(link.code)).toBe(asked)
    // What one process fetched, the others have.
    expect((await edge.get(`/${link.code}`)).headers.location).toBe(link.url)
    expect(toRedis.carried(link.code)).toBe(asked)
  })

  test('with a Redis nearby keeps its clicks there, and each is counted once', async () => {
    const link = await home.create({ url: destination() })
    const [before, beforeCold] = [await captured(edge), await captured(cold)]
    for (let i = 0; i < 20; i++) for (const app of [edge, cold]) expect((await follow(app, link.code)).status).toBe(302)
    expect(await captured(edge)).toEqual({ ...before, redis: before.redis + 20 })
    expect(await captured(cold)).toEqual({ ...beforeCold, redis: beforeCold.redis + 20 })
    await counted(servers, link.code, 40)
    expect(await home.metric('terse_click_batches_repeated_total')).toBe(0)
  })

  test('sees an edit, a deletion and a restored link within a second and the way of the news', async () => {
    for (let round = 0; round < 3; round++) {
      const link = await home.create({ url: destination() })
      for (const app of [edge, cold, plain]) expect((await app.get(`/${link.code}`)).headers.location).toBe(link.url)
      const url = destination()
      await home.manage('PATCH', link, { url })
      await Promise.all([edge, cold, plain].map((app) => sees(app, link.code, ({ headers }) => headers.location === url)))
      await home.manage('PATCH', link, { enabled: false })
      await Promise.all([edge, cold, plain].map((app) => sees(app, link.code, ({ status }) => status === 410)))
      await home.manage('PATCH', link, { enabled: true })
      await Promise.all([edge, cold, plain].map((app) => sees(app, link.code, ({ status }) => status === 302)))
      await home.manage('DELETE', link)
      await Promise.all([edge, cold, plain].map((app) => sees(app, link.code, ({ status }) => status === 410)))
    }
  })
})

describe('an edge process that is cut off from the centre', () => {
  afterEach(() => Promise.all([toMysql.mend(), toRedis.mend()]))

  test('goes on redirecting what it or the Redis nearby holds, nothing deleted, and its clicks are counted afterwards', async () => {
    const [link, deleted] = [await home.create({ url: destination() }), await home.create({ url: destination() })]
    for (const app of [edge, cold]) for (const { code } of [link, deleted]) await follow(app, code)
    await home.manage('DELETE', deleted)
    for (const app of [edge, cold]) await sees(app, deleted.code, ({ status }) => status === 410)
    await counted(servers, link.code, 2)
    await Promise.all([toMysql.cut(), toRedis.cut()])
    const meanwhile = destination()
    await home.manage('PATCH', link, { url: meanwhile })
    let clicks = 2
    const end = Date.now() + 4_000
    while (Date.now() < end) {
      for (const app of [edge, cold]) {
        expect((await follow(app, link.code)).headers.location).toBe(link.url)
        clicks += 1
        expect([410, 503]).toContain((await app.get(`/${deleted.code}`)).status)
      }
    }
    await Promise.all([toMysql.mend(), toRedis.mend()])
    for (const app of [edge, cold]) {
      await eventually(
        () => follow(app, link.code),
        ({ headers }) => {
          clicks += 1
          return headers.location === meanwhile
        },
      )
    }
    await counted(servers, link.code, clicks, 30_000)
  })
})
