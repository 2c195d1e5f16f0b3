import { readdirSync, readFileSync } from 'node:fs'
import http from 'node:http'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ALL_FACTS, singleClicksWith } from '@/lib/clicks/single-clicks'
import { BROWSER, counted, countsOf } from './clicks'
import { App, destination, eventually, ownServers, query, request, type Servers, unknownCode } from './harness'

let servers: Servers
let env: Record<string, string>
let app: App

beforeAll(async () => {
  servers = await ownServers()
  env = { DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl, DATA_DIR: servers.dir }
  app = await App.start(env)
})

afterAll(async () => {
  expect(app?.log).not.toMatch(/unhandled|"level":(50|60)/i)
  expect(await app?.stop()).toBe(0)
  await servers?.stop()
})

const browser = { 'user-agent': BROWSER }

/** Follows a link as a browser does. */
async function follow(code: string, headers: Record<string, string> = {}, from = app): Promise<void> {
  expect((await from.get(`/${code}`, { ...browser, ...headers })).status).toBe(302)
}

const ADDRESS = '203.0.113.77'

/** All that is stored: Redis as it writes itself down, the spool, and each value of each table. */
async function stored(): Promise<Buffer> {
  const redis = new Redis(servers.redisUrl)
  await redis.config('SET', 'rdbcompression', 'no')
  await redis.save()
  await redis.quit()
  const files = readdirSync(servers.dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const names = await query<{ name: string }>(
    servers.databaseUrl,
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()',
  )
  const tables = await Promise.all(names.map(({ name }) => query(servers.databaseUrl, `SELECT * FROM \`${name}\``)))
  const values = tables.flat().flatMap((row) => Object.values(row))
  return Buffer.concat([
    ...files.map(({ parentPath, name }) => readFileSync(join(parentPath, name))),
    ...values.map((value) => (value instanceof Uint8Array ? value : Buffer.from(`${value}\n`))),
  ])
}

/** Asks for a path `count` times at once, over at most 1,000 connections, and gives the statuses with how often. */
async function storm(port: number, path: string, count: number): Promise<Record<number, number>> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1_000 })
  const ask = () =>
    new Promise<number>((resolve, reject) => {
      http
        .get({ host: '127.0.0.1', port, path, agent, headers: browser }, (response) => {
          response.resume()
          response.on('end', () => resolve(response.statusCode ?? 0))
        })
        .on('error', reject)
    })
  const statuses: Record<number, number> = {}
  for (const status of await Promise.all(Array.from({ length: count }, ask))) statuses[status] = (statuses[status] ?? 0) + 1
  agent.destroy()
  return statuses
}

describe('what is a click', () => {
  test('a GET that is answered with the redirect; HEAD, prefetch, preview and misses are none', async () => {
    const link = await app.create({ url: destination() })
    await request(app.port, `/${link.code}`, { method: 'HEAD', headers: browser })
    for (const headers of [{ 'sec-purpose': 'prefetch;prerender' }, { purpose: 'prefetch' }, { 'X-Moz': 'prefetch' }]) {
      await follow(link.code, headers as unknown as Record<string, string>)
    }
    await app.get(`/${link.code}+`, browser)
    await app.get(`/${unknownCode()}`, browser)
    await follow(link.code)
    // From Redis or MySQL as from memory.
    const cold = await App.start({ ...env, ROLE: 'edge', CACHE_MB: '0' })
    await follow(link.code, {}, cold)
    await cold.stop()
    await counted(servers, link.code, 2)
  })

  test('who asks not to be tracked is counted unless DO_NOT_TRACK=on', async () => {
    const discreet = await App.start({ ...env, ROLE: 'edge', DO_NOT_TRACK: 'on' })
    const link = await app.create({ url: destination() })
    for (const headers of [{ dnt: '1' }, { 'sec-gpc': '1' }]) {
      await follow(link.code, headers as unknown as Record<string, string>, discreet)
      await follow(link.code, headers as unknown as Record<string, string>)
    }
    await follow(link.code, { dnt: '0' }, discreet)
    await discreet.stop()
    await counted(servers, link.code, 3)
  })

  test('a link with a password counts once it is unlocked, an expired one that leads elsewhere does not', async () => {
    const locked = await app.create({ url: destination(), password: 'sesame' })
    await app.get(`/${locked.code}`, browser)
    const headers = { ...browser, 'content-type': 'application/x-www-form-urlencoded' }
    const wrong = await request(app.port, `/${locked.code}`, { method: 'POST', headers, body: 'password=no' })
    expect(wrong.status).toBe(403)
    const right = await request(app.port, `/${locked.code}`, { method: 'POST', headers, body: 'password=sesame' })
    expect(right.status).toBe(303)
    await counted(servers, locked.code, 1)
    const once = await app.create({ url: destination(), maxClicks: 1, expiredUrl: 'https://example.com/over' })
    await follow(once.code)
    expect((await app.get(`/${once.code}`, browser)).headers.location).toBe('https://example.com/over')
    await counted(servers, once.code, 1)
  })

  test('bots and previews are clicks, but not visitors; a visitor counts once a day', async () => {
    const link = await app.create({ url: destination() })
    for (const agent of [
      BROWSER,
      BROWSER,
      `${BROWSER} Edg/142.0.0.0`,
      'Googlebot/2.1 (+http://www.google.com/bot.html)',
      'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    ]) {
      await follow(link.code, { 'user-agent': agent })
    }
    const totals = () =>
      query(
        servers.databaseUrl,
        `SELECT SUM(r.clicks) AS clicks, SUM(visitors) AS visitors, SUM(bots) AS bots, SUM(previews) AS previews
         FROM ClickRollup r JOIN Link ON Link.id = linkId WHERE code = ? AND dimension = 0 AND span = 1`,
        [link.code],
      )
    await eventually(totals, ([row]) => Number(row?.clicks) === 5)
    const [row] = await totals()
    expect(Object.values(row ?? {}).map(Number)).toEqual([5, 2, 1, 1])
  })

  test('no address is stored anywhere, in Redis or in MySQL', async () => {
    const link = await app.create({ url: destination() })
    const behind = await App.start({ ...env, TRUSTED_PROXIES: '127.0.0.1', COUNTRY_HEADER: 'CF-IPCountry', ROLE: 'edge' })
    // As long as nobody counts, the click is in Redis.
    app.child.kill('SIGSTOP')
    await follow(link.code, { 'x-forwarded-for': ADDRESS, 'cf-ipcountry': 'nl' }, behind)
    await behind.stop()
    const waiting = await stored()
    app.child.kill('SIGCONT')
    expect(waiting.includes(BROWSER)).toBe(true)
    await counted(servers, link.code, 1)
    for (const bytes of [waiting, await stored()]) {
      expect(bytes.includes(link.code)).toBe(true)
      expect(bytes.includes(ADDRESS)).toBe(false)
      expect(bytes.includes(Buffer.from(ADDRESS.split('.').map(Number)))).toBe(false)
    }
    const [click] = await query(
      servers.databaseUrl,
      `SELECT click.*, ${ALL_FACTS.join()} FROM ${singleClicksWith(ALL_FACTS)} JOIN Link l ON l.id = linkId WHERE l.code = ?`,
      [link.code],
    )
    expect(JSON.stringify(click)).not.toContain('203.0.113')
    expect(click).toMatchObject({ country: 'NL' })
  })
})

describe('a click limit', () => {
  test('of 100 lets exactly 100 of 10,000 requests through', async () => {
    const link = await app.create({ url: destination(), maxClicks: 100 })
    expect(await storm(app.port, `/${link.code}`, 10_000)).toEqual({ 302: 100, 410: 9_900 })
    await counted(servers, link.code, 100)
  })

  test('is as exact over two processes, each with two workers, while Redis is stopped', async () => {
    const link = await app.create({ url: destination(), maxClicks: 100 })
    const other = await App.start({ ...env, WEB_CONCURRENCY: '2' })
    await Promise.all([app, other].map((each) => request(each.port, `/${link.code}`, { method: 'HEAD' })))
    await servers.redis.stop()
    const [one, two] = await Promise.all([app, other].map((each) => storm(each.port, `/${link.code}`, 2_000)))
    await servers.redis.start()
    expect((one?.[302] ?? 0) + (two?.[302] ?? 0)).toBe(100)
    expect((one?.[410] ?? 0) + (two?.[410] ?? 0)).toBe(3_900)
    await counted(servers, link.code, 100, 25_000)
    await other.stop()
  })

  test('that is set later counts the clicks there were', async () => {
    const link = await app.create({ url: destination() })
    await follow(link.code)
    await follow(link.code)
    await counted(servers, link.code, 2)
    expect((await app.manage('PATCH', link, { maxClicks: 3 })).status).toBe(200)
    await eventually(
      () => app.get(`/${link.code}`, browser),
      ({ status }) => status === 410,
    )
    await counted(servers, link.code, 3)
  })
})

describe('who counts', () => {
  test('an edge process captures, a worker alone applies', async () => {
    const link = await app.create({ url: destination() })
    const own = { ...env, REDIS_URL: servers.redisUrl.replace(/\/0$/, '/1') }
    const edge = await App.start({ ...own, ROLE: 'edge' })
    for (let i = 0; i < 10; i++) await follow(link.code, {}, edge)
    expect(await countsOf(servers, link.code)).toMatchObject({ raw: 0, link: 0 })
    const worker = await App.start({ ...own, ROLE: 'worker' })
    await counted(servers, link.code, 10)
    // It answers probes, and sends everyone else where links are answered.
    expect((await worker.get('/healthz')).status).toBe(200)
    expect((await worker.get(`/${link.code}`)).headers.location).toBe(`http://localhost:${worker.port}/${link.code}`)
    expect(await Promise.all([edge.stop(), worker.stop()])).toEqual([0, 0])
  })

  test('both workers of WEB_CONCURRENCY=2 count, and CLICK_DURABILITY=fast loses nothing when stopped in order', async () => {
    const link = await app.create({ url: destination() })
    const pair = await App.start({ ...env, WEB_CONCURRENCY: '2', CLICK_DURABILITY: 'fast' })
    expect(await storm(pair.port, `/${link.code}`, 2_000)).toEqual({ 302: 2_000 })
    expect(await pair.stop()).toBe(0)
    await counted(servers, link.code, 2_000)
  })

  test('once the streams are full clicks go to the spool, and come back when there is room', async () => {
    const link = await app.create({ url: destination() })
    const own = { ...env, REDIS_URL: servers.redisUrl.replace(/\/0$/, '/2') }
    const edge = await App.start({ ...own, ROLE: 'edge', CLICK_STREAM_MB: '1' })
    const spooled = async () => /captured_total\{to="spool"\} (\d+)/.exec((await edge.get('/metrics')).body)?.[1]
    let clicks = 0
    await eventually(
      async () => {
        await storm(edge.port, `/${link.code}?utm_campaign=${'x'.repeat(900)}`, 200)
        clicks += 200
        return spooled()
      },
      (count) => Number(count) > 0,
      20_000,
    )
    expect(edge.log).toContain('too many clicks wait')
    const worker = await App.start({ ...own, ROLE: 'worker' })
    await counted(servers, link.code, clicks, 20_000)
    expect(await Promise.all([edge.stop(), worker.stop()])).toEqual([0, 0])
  })
})
