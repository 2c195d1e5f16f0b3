import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { createConnection } from 'mariadb'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseDatabaseUrl } from '@/lib/tools/database-url'
import { App, destination, eventually, OF_THIS_RUN, ownServers, ROOT, SECRET, type Servers, unknownCode, watch } from './harness'

const OLD_LINKS = 40_000

let servers: Servers
let env: { DATABASE_URL: string; REDIS_URL: string }
let app: App
/** Keeps nothing in memory, so that the filter is asked for each unknown code. */
let cold: App

beforeAll(async () => {
  servers = await ownServers()
  env = { DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl }
  app = await App.start(env)
  cold = await App.start({ ...env, ROLE: 'edge', CACHE_MB: '0' })
  await insertOldLinks()
})

afterAll(async () => {
  await Promise.all([app?.stop(), cold?.stop()])
  await servers?.stop()
})

const oldCode = (i: number) => `old-${i}`
const oldUrl = (i: number) => `https://example.com/old/${i}`

/** Rows that the filter was never told of, as after a move from another database: what a rebuild is for. */
async function insertOldLinks(): Promise<void> {
  const connection = await createConnection({ ...parseDatabaseUrl(servers.databaseUrl), timezone: 'Z' })
  try {
    const [{ id: domainId } = { id: 0 }] = await connection.query<{ id: number }[]>(
      "SELECT id FROM Domain WHERE host = 'localhost'",
    )
    const rows = Array.from({ length: OLD_LINKS }, (_, i) => {
      const url = oldUrl(i)
      const hash = createHash('sha256').update(url).digest()
      return [i + 1, domainId, oldCode(i), `localhost/${oldCode(i)}`, url, hash, '', 302, 'active', 0, 0, i + 1]
    })
    await connection.batch(
      `INSERT INTO Link (id, domainId, code, fullShortUrl, url, urlHash, title, redirectStatus, state, shared, clicks, version, createdAt, updatedAt)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '2020-01-01', '2020-01-01')`,
      rows,
    )
  } finally {
    await connection.end()
  }
}

function rebuild() {
  const child = spawn(process.execPath, [join(ROOT, 'dist/cli/codes-rebuild.js')], {
    cwd: ROOT,
    env: { NODE_ENV: 'production', ...env, ...OF_THIS_RUN, APP_SECRET: SECRET },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const ended = new Promise<{ code: number | null; output: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, output })),
  )
  return { child, ended }
}

/** Makes links, each asked for at once where nothing is in memory, until told to stop. */
function creating() {
  const made: { code: string; url: string }[] = []
  let stopped = false
  const loop = (async () => {
    while (!stopped) {
      const link = await app.create({ url: destination() })
      expect((await cold.get(`/${link.code}`)).headers.location).toBe(link.url)
      made.push(link)
    }
  })()
  loop.catch(() => {})
  return {
    made,
    async stop() {
      stopped = true
      await loop
    },
  }
}

test('a rebuild while links are made denies none of them, before, during or after, and learns what it had not heard of', async () => {
  await Promise.all([app.trusted(), cold.trusted()])
  const before = await app.create({ url: destination() })
  const asked = watch(
    () => cold.get(`/${before.code}`),
    ({ headers }) => headers.location === before.url,
  )
  const creators = [creating(), creating()]
  await eventually(
    () => Math.min(...creators.map(({ made }) => made.length)),
    (count) => count > 2,
  )
  const count = () => creators.reduce((sum, { made }) => sum + made.length, 0)
  const atBegin = count()
  const { code, output } = await rebuild().ended
  const during = count() - atBegin
  expect([code, output]).toEqual([0, expect.stringMatching(/codes are in the filter/)])
  expect(Number(/([\d,]+) codes/.exec(output)?.[1]?.replaceAll(',', ''))).toBeGreaterThanOrEqual(OLD_LINKS)
  for (const each of creators) await each.stop()
  expect(during).toBeGreaterThan(5)
  expect((await asked.stop()).wrong).toEqual([])

  await Promise.all([app.trusted(), cold.trusted()])
  for (const link of creators.flatMap(({ made }) => made)) {
    expect((await cold.get(`/${link.code}`)).headers.location).toBe(link.url)
  }
  for (let i = 0; i < OLD_LINKS; i += 397) expect((await cold.get(`/${oldCode(i)}`)).headers.location).toBe(oldUrl(i))
})

test('a rebuild that is killed leaves everything as it was, and the next one goes on to the end', async () => {
  const link = await app.create({ url: destination() })
  const { child, ended } = rebuild()
  const redis = new Redis(servers.redisUrl)
  await eventually(
    async () => Number(await redis.hget('terse:rebuild', 'done')),
    (done) => done > 0,
  )
  child.kill('SIGKILL')
  expect((await ended).code).toBeNull()
  expect(await redis.exists('terse:rebuild')).toBe(1) // it was in the middle
  expect((await cold.get(`/${link.code}`)).headers.location).toBe(link.url)
  await Promise.all([app.trusted(), cold.trusted()])
  const made = await app.create({ url: destination() })
  expect(await rebuild().ended).toMatchObject({ code: 0 })
  expect(await redis.exists('terse:rebuild')).toBe(0)
  redis.disconnect()
  await Promise.all([app.trusted(), cold.trusted()])
  for (const { code, url } of [link, made]) expect((await cold.get(`/${code}`)).headers.location).toBe(url)
  expect((await cold.get(`/${unknownCode()}`)).status).toBe(404)
})
