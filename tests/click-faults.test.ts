import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { createConnection } from 'mariadb'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { parseDatabaseUrl } from '@/lib/tools/database-url'
import { freePort } from '@/scripts/lib/loopback.mjs'
import { BROWSER, countsOf, expectConsistent, expectCountedOnce, Load, splitLink } from './clicks'
import { App, eventually, type PrivateServers, privateServers, request } from './harness'

// An outage of 10 s, and as long again until those who left something behind are given up.
vi.setConfig({ testTimeout: 90_000 })

let servers: PrivateServers
let dataDir: string
let env: Record<string, string>
const apps: App[] = []

beforeAll(async () => {
  servers = await privateServers()
})

afterAll(() => servers?.stop())

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'terse-clicks-'))
  env = { DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl, DATA_DIR: dataDir }
})

afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.stop()))
  rmSync(dataDir, { recursive: true, force: true })
})

async function start(settings: Record<string, string> = {}): Promise<App> {
  const app = await App.start({ ...env, ...settings })
  apps.push(app)
  return app
}

async function withRedis<T>(work: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis(servers.redisUrl)
  return work(client).finally(() => client.disconnect())
}

const CONNECTIONS = 8

/** Lets a load run until so many more redirects were received. */
async function received(load: Load, more: number): Promise<void> {
  const before = load.received.length
  await eventually(
    () => load.received.length - before,
    (n) => n >= more,
    30_000,
  )
}

describe('one process', () => {
  let app: App

  beforeAll(async () => {
    app = await App.start({ DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl, DATA_DIR: servers.dir })
  })
  beforeEach(() => app.trusted())
  afterAll(() => app?.stop())

  test('Redis is stopped for 10 s under load and started again with its data: nothing is lost', async () => {
    const link = await app.create(splitLink())
    const load = new Load(() => app.port, link.code, CONNECTIONS)
    await received(load, 500)
    await servers.redis.stop()
    await delay(10_000)
    expect(await app.metric('terse_clicks_captured_total{to="spool"}')).toBeGreaterThan(0)
    await servers.redis.start()
    await received(load, 500)
    await load.stop()
    expect(load.wrong).toEqual([])
    await expectCountedOnce(servers, load)
    expect(await app.metric('terse_clicks_captured_total{to="lost"}')).toBe(0)
  })

  test('Redis hangs for 3 s: clicks go to the spool after 50 ms, and those that arrive twice count once', async () => {
    const link = await app.create(splitLink())
    const load = new Load(() => app.port, link.code, CONNECTIONS)
    await received(load, 500)
    servers.redis.kill('SIGSTOP')
    await received(load, 500)
    servers.redis.kill('SIGCONT')
    await received(load, 500)
    await load.stop()
    expect(load.wrong).toEqual([])
    await expectCountedOnce(servers, load)
  })

  test('MySQL is paused for 10 s under load: nothing is lost or doubled', async () => {
    const link = await app.create(splitLink())
    const load = new Load(() => app.port, link.code, CONNECTIONS)
    await received(load, 500)
    servers.mariadb.kill('SIGSTOP')
    await delay(10_000)
    servers.mariadb.kill('SIGCONT')
    await received(load, 500)
    await load.stop()
    expect(load.wrong).toEqual([])
    await expectCountedOnce(servers, load)
  })

  test('FLUSHALL under load: what was counted stays, nothing is doubled, redirects go on', async () => {
    const link = await app.create(splitLink())
    const load = new Load(() => app.port, link.code, CONNECTIONS)
    await received(load, 500)
    const before = await countsOf(servers, link.code)
    await withRedis((redis) => redis.flushall())
    await received(load, 500)
    await load.stop()
    expect(load.wrong).toEqual([])
    // The newest click tells that all that was left to count is counted.
    const last = (await app.get(`/${link.code}`, { referer: 'https://load.test/last', 'user-agent': BROWSER })).status
    expect(last).toBe(302)
    await eventually(
      () => app.metric('terse_click_backlog_batches'),
      (waiting) => waiting === 0,
    )
    await eventually(
      () => countsOf(servers, link.code),
      ({ raw }) => raw > before.raw,
    )
    const counted = await expectConsistent(servers, link.code)
    expect(counted).toBeGreaterThanOrEqual(before.raw)
    expect(counted).toBeLessThanOrEqual(load.received.length + 1)
  })
})

test('the app is killed five times under load: every redirect received is counted once', async () => {
  const port = await freePort()
  let app = await start({ PORT: String(port) })
  const link = await app.create(splitLink())
  const load = new Load(() => port, link.code, CONNECTIONS)
  for (let kill = 0; kill < 5; kill++) {
    await received(load, 1_000)
    await app.stop('SIGKILL')
    app = await start({ PORT: String(port) })
  }
  await received(load, 500)
  await load.stop()
  await expectCountedOnce(servers, load, 5 * CONNECTIONS)
})

describe('clicks that nobody counts yet', () => {
  /** One for each test, made by a process that has ended. */
  let links: Record<'commit' | 'kill', { code: string }>

  beforeAll(async () => {
    const app = await App.start({ DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl, DATA_DIR: servers.dir })
    links = { commit: await app.create(splitLink()), kill: await app.create(splitLink()) }
    await app.stop()
  })

  test('a consumer that dies between commit and acknowledgement leaves nothing counted twice', async () => {
    const link = links.commit
    const edge = await start({ ROLE: 'edge' })
    const load = new Load(() => edge.port, link.code, CONNECTIONS)
    await received(load, 500)
    await load.stop()
    const lock = await createConnection(parseDatabaseUrl(servers.databaseUrl))
    await lock.query('BEGIN')
    await lock.query('SELECT id FROM Link WHERE code = ? FOR UPDATE', [link.code])
    // Its transaction waits for the link's row, the last it needs; so Redis can be stopped before it is told anything.
    const worker = await start({ ROLE: 'worker' })
    await eventually(
      () => lock.query<unknown[]>("SELECT 1 FROM information_schema.PROCESSLIST WHERE INFO LIKE 'UPDATE Link JOIN%'"),
      (rows) => rows.length > 0,
    )
    servers.redis.kill('SIGSTOP')
    await lock.query('COMMIT')
    await eventually(
      () => countsOf(servers, link.code),
      ({ link: clicks }) => clicks > 0,
    )
    await worker.stop('SIGKILL')
    servers.redis.kill('SIGCONT')
    await lock.end()
    const next = await start({ ROLE: 'worker' })
    await expectCountedOnce(servers, load)
    await eventually(
      () => next.metric('terse_click_batches_repeated_total'),
      (repeated) => repeated > 0,
      20_000,
    )
    await eventually(
      () => next.metric('terse_click_backlog_batches'),
      (waiting) => waiting === 0,
      20_000,
    )
    await expectCountedOnce(servers, load)
  })

  test('Redis is killed and started with its data: not one acknowledged click is lost', async () => {
    const link = links.kill
    const edge = await start({ ROLE: 'edge' })
    const load = new Load(() => edge.port, link.code, CONNECTIONS)
    await received(load, 1_000)
    await load.stop()
    await servers.redis.kill('SIGKILL')
    await servers.redis.start()
    await start({ ROLE: 'worker' })
    await expectCountedOnce(servers, load)
  })
})

test('the disk takes no more of the spool: redirects are answered, and the loss is counted and logged', async () => {
  // 32 KB a file: less than what comes in while Redis is away.
  const app = await start({ FILE_BLOCKS: '64' })
  const link = await app.create(splitLink())
  const load = new Load(() => app.port, link.code, CONNECTIONS)
  await received(load, 200)
  await servers.redis.stop()
  await eventually(
    () => app.metric('terse_clicks_captured_total{to="lost"}'),
    (lost) => lost > 0,
  )
  await received(load, 200)
  await servers.redis.start()
  await received(load, 200)
  await load.stop()
  expect(load.wrong).toEqual([])
  expect(app.log).toContain('clicks are being lost')
  const lost = await app.metric('terse_clicks_captured_total{to="lost"}')
  await eventually(
    () => countsOf(servers, link.code),
    ({ raw }) => raw === load.received.length - lost,
    20_000,
  )
  expect(await expectConsistent(servers, link.code)).toBe(load.received.length - lost)
})

test('where no spool can be made at all redirects are answered too, and every loss is counted', async () => {
  writeFileSync(join(dataDir, 'spool'), 'a file where a folder should be')
  const app = await start()
  const link = await app.create(splitLink())
  await app.get(`/${link.code}`)
  await servers.redis.stop()
  for (let i = 0; i < 20; i++) expect((await app.get(`/${link.code}`)).status).toBe(302)
  await servers.redis.start()
  expect(await app.metric('terse_clicks_captured_total{to="lost"}')).toBe(20)
  expect(app.log).toContain('clicks are being lost')
})

test('a process killed while Redis is away leaves a spool that another brings back', async () => {
  const first = await start()
  const link = await first.create(splitLink())
  // In memory before Redis goes.
  expect((await request(first.port, `/${link.code}`, { method: 'HEAD' })).status).toBe(302)
  await servers.redis.stop()
  const load = new Load(() => first.port, link.code, CONNECTIONS)
  await received(load, 500)
  await load.stop()
  await first.stop('SIGKILL')
  await servers.redis.start()
  await start()
  // Not at once: nobody can know that no process writes to the file any more.
  await expectCountedOnce(servers, load)
})
