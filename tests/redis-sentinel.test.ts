import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { replicated } from '@/lib/testing/cluster'
import { appDatabase } from '@/lib/testing/database'
import { testRedis } from '@/lib/testing/redis'
import { controlOf, replicate, startSentinel } from '@/lib/testing/sentinel'
import { expectCountedOnce } from './clicks'
import { App, destination, eventually } from './harness'
import { Traffic } from './traffic'

// A failover, and as long again until the former master follows.
vi.setConfig({ testTimeout: 90_000 })

const [first, second] = [await testRedis(), await testRedis()]
const password = decodeURIComponent(new URL(first.url).password)
// Sentinel knows one password for all.
await controlOf(second.url).config('SET', 'requirepass', password)
const [toFirst, toSecond] = [controlOf(first.url), controlOf(first.url.replace(/:\d+\//, `:${second.port}/`))]
const database = await appDatabase()
const folder = mkdtempSync(join(tmpdir(), 'terse-sentinel-'))
const apps: App[] = []

beforeAll(async () => {
  await toFirst.config('SET', 'masterauth', password)
  await replicate(first.url, toSecond)
  await replicated([toFirst])
  const redisUrl = await startSentinel(first.url)
  for (const name of ['one', 'two']) {
    const env = { DATABASE_URL: database.url, REDIS_URL: redisUrl, DATA_DIR: join(folder, name), CLICK_REPLICAS: '1' }
    apps.push(await App.start(env))
  }
})

afterAll(async () => {
  for (const app of apps) expect(app.log).not.toMatch(/unhandled|"level":60/i)
  expect(await Promise.all(apps.map((app) => app.stop()))).toEqual([0, 0])
  rmSync(folder, { recursive: true, force: true })
  await database.drop()
})

test('the master is killed under load: redirects go on, changes are seen within a second, and every click counts once', async () => {
  for (const app of apps) await app.trusted()
  const link = await (apps[0] as App).create({ url: destination() })
  const traffic = new Traffic(apps, link, 4)
  await traffic.more()
  await first.kill('SIGKILL')
  await traffic.more()
  await eventually(
    () => toSecond.info('replication'),
    (info) => info.includes('role:master'),
    30_000,
  )
  await traffic.more()
  // Until it follows the new master, no replica has a copy of the clicks.
  await first.start()
  await toFirst.config('SET', 'masterauth', password)
  await eventually(
    () => toFirst.info('replication'),
    (info) => info.includes('master_link_status:up'),
    45_000,
  )
  await replicated([toSecond])
  const inRedis = () => apps[0]?.metric('terse_clicks_captured_total{to="redis"}')
  const before = (await inRedis()) ?? 0
  await eventually(inRedis, (now) => (now ?? 0) > before)
  for (const app of apps) await app.trusted()

  await traffic.stop()
  // Redis is never what a change waits for; MySQL may be, on a busy machine.
  expect([traffic.wrong, traffic.clicks.wrong, traffic.refusedEarly]).toEqual([[], [], 0])
  await expectCountedOnce({ databaseUrl: database.url }, traffic.clicks)
  for (const app of apps) {
    expect(await app.metric('terse_clicks_captured_total{to="lost"}')).toBe(0)
    for (const { code, url } of traffic.created) expect((await app.get(`/${code}`)).headers.location).toBe(url)
  }
})
