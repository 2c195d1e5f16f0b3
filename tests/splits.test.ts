import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { BROWSER, counted } from './clicks'
import { App, eventually, type PrivateServers, privateServers, query } from './harness'

// The end of a split is promised within a minute.
vi.setConfig({ testTimeout: 120_000 })

let servers: PrivateServers
const apps: App[] = []

const start = async () => {
  const app = await App.start({
    DATABASE_URL: servers.databaseUrl,
    REDIS_URL: servers.redisUrl,
    DATA_DIR: servers.dir,
    TRUSTED_PROXIES: '127.0.0.1',
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

const [A, B] = ['https://example.com/a', 'https://example.com/b'] as const
const variants = [
  { url: A, weight: 60 },
  { url: B, weight: 40 },
]
const visitor = (n: number) => ({ 'x-forwarded-for': `198.51.${Math.floor(n / 250)}.${n % 250}`, 'user-agent': BROWSER })

async function led(app: App, code: string, n: number, method = 'GET'): Promise<string> {
  const answer = await app.call(method, `/${code}`, undefined, visitor(n))
  expect(answer.status).toBe(302)
  return String(answer.headers.location)
}

test('each destination has its clicks and visitors, by page, filter and export, and keeps them when the link is edited', async () => {
  const app = await start()
  const rule = { when: [{ of: 'query', name: 'ref' }], url: 'https://example.com/ref' }
  const link = await app.create({
    url: 'https://example.com/',
    routing: { rules: [rule], split: { variants }, query: 'forward' },
  })
  const seen = new Map<string, number>()
  const count = (url: string) => seen.set(url, (seen.get(url) ?? 0) + 1)
  for (let n = 0; n < 40; n++) count(await led(app, link.code, n))
  const refs = await app.get(`/${link.code}?ref=x&utm_source=mail`, visitor(1))
  expect(refs.headers.location).toBe(`${rule.url}?ref=x&utm_source=mail`)
  count(rule.url)
  await counted(servers, link.code, 41)
  const stats = async (suffix = '') => JSON.parse((await app.manage('GET', link, undefined, `/stats${suffix}`)).body)
  const before = (await stats()).breakdown
  const clicks = before.destination.map(({ value, clicks }: { value: string; clicks: number }) => [value, clicks])
  expect(clicks.sort()).toEqual([...seen].sort())
  expect(before.utm_source).toMatchObject([{ value: 'mail', clicks: 1 }])
  expect((await stats(`?destination=${encodeURIComponent(A)}`)).totals.clicks).toBe(seen.get(A))
  const csv = (await app.manage('GET', link, undefined, '/clicks.csv')).body
  expect(csv.split('\r\n').filter((line) => line.endsWith(`"${B}"`))).toHaveLength(seen.get(B) ?? 0)

  expect((await app.manage('PATCH', link, { routing: null })).status).toBe(200)
  await eventually(
    () => led(app, link.code, 1),
    (url) => url === link.url,
  )
  expect((await stats()).breakdown.destination).toEqual(before.destination)
})

test('a split ends although the process is killed and Redis forgets everything, and every process goes on with the better one', async () => {
  const app = await start()
  const link = await app.create({ url: 'https://example.com/', routing: { split: { variants } } })
  // Whoever gets B comes back.
  let clicks = 0
  for (let n = 0; n < 150; n++) {
    for (let times = (await led(app, link.code, n)) === B ? 2 : 1; times > 1; times--) {
      await led(app, link.code, n)
      clicks += 1
    }
    clicks += 1
  }
  await counted(servers, link.code, clicks)
  // Of what is counted before its end.
  const endsAt = new Date(Date.now() + 2_000).toISOString()
  expect((await app.manage('PATCH', link, { routing: { split: { variants, endsAt } } })).status).toBe(200)
  await app.stop('SIGKILL')
  const redis = new Redis(servers.redisUrl)
  await redis.flushall()
  redis.disconnect()
  const both = await Promise.all([start(), start()])
  for (const one of both) {
    await eventually(
      // By HEAD, which is no click: these would be counted, too, until the end is decided.
      async () => [...new Set(await Promise.all(Array.from({ length: 12 }, (_, n) => led(one, link.code, n, 'HEAD'))))],
      (places) => places.length === 1 && places[0] === B,
      60_000,
    )
  }
  const shown = JSON.parse((await both[0].manage('GET', link)).body)
  expect(shown.routing).toEqual({ split: { variants, endsAt, winner: B } })
  const [row] = await query<{ n: bigint }>(
    servers.databaseUrl,
    "SELECT COUNT(*) AS n FROM AuditEntry WHERE action = 'link.end-split'",
    [],
  )
  expect(Number(row?.n)).toBe(1)
})
