import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectTo } from '@/lib/testing/database'
import { App, destination, eventually, ownServers, query, request, type Servers, watch } from './harness'

const ADMIN = { ADMIN_EMAIL: 'ada@example.com', ADMIN_PASSWORD: 'correct horse battery' }
const LINKS = 60
let servers: Servers
let env: Record<string, string>
let app: App
let cookie: string

beforeAll(async () => {
  servers = await ownServers()
  env = { DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl, ...ADMIN }
  app = await App.start(env)
  await signIn()
})

afterAll(async () => {
  await app?.stop()
  await servers?.stop()
})

const origin = () => `http://localhost:${app.port}`

async function signIn(): Promise<void> {
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = ADMIN
  const answer = await eventually(
    () => app.call('POST', '/api/auth/sign-in/email', { email, password }, { origin: origin() }),
    ({ status }) => status === 200,
  )
  cookie = (answer.headers['set-cookie'] ?? []).map((one) => one.split(';', 1)[0]).join('; ')
}

const ask = (method: string, path: string, body?: unknown) => app.api(method, path, body, { cookie, origin: origin() })
const put = (url: string, code: string) => ask('POST', '/links', { url, code })

test('BASE_URL’s own domain is folded while its links redirect, on after kill -9, with another process, and without Redis', async () => {
  const codes = Array.from({ length: LINKS }, (_, i) => `Spring${i}`)
  for (let i = 0; i < codes.length; i += 20) {
    const made = await Promise.all(codes.slice(i, i + 20).map((code) => put(destination(), code)))
    expect(made.every(({ status }) => status === 201)).toBe(true)
  }
  const edge = await App.start({ ...env, ROLE: 'edge', BASE_URL: origin() })
  let turn = 0
  const visits = watch(
    () => edge.get(`/${codes[turn++ % LINKS]}`),
    ({ status }) => status === 302,
  )
  const [domain] = JSON.parse((await ask('GET', '/admin/domains')).body).domains
  const asked = await ask('POST', `/admin/domains/${domain.id}/code-case`, { codeCase: 'ignored' })
  expect(asked.status, asked.body).toBe(202)
  // The name of one is held by a link that is never committed, so that the job is killed in the middle however fast it is.
  const holder = await connectTo(servers.databaseUrl)
  await holder.query('SET TRANSACTION ISOLATION LEVEL READ COMMITTED')
  await holder.beginTransaction()
  await holder.query(
    `INSERT INTO Link (id, domainId, code, fullShortUrl, url, urlHash, createdAt, updatedAt, version)
     SELECT 1, domainId, LOWER(code), LOWER(fullShortUrl), url, '', createdAt, updatedAt, 1 FROM Link WHERE code = ?`,
    [`Spring${LINKS / 2}`],
  )
  const folded = async () => {
    const [row] = await query<{ n: number }>(servers.databaseUrl, 'SELECT COUNT(*) AS n FROM Link WHERE code = LOWER(code)')
    return Number(row?.n)
  }
  const before = await eventually(folded, (n) => n >= LINKS / 3 - 4, 40_000)
  await app.stop('SIGKILL')
  await holder.end()
  expect(before).toBeLessThan(LINKS)
  // Some are folded and some are not: all redirect, and so they do when Redis knows nothing.
  await servers.redis.stop()
  await servers.redis.start()
  app = await App.start(env)
  await signIn()
  const state = async () => JSON.parse((await ask('GET', '/admin/domains')).body).domains[0].codeCase
  await eventually(state, (now) => now === 'ignored', 90_000)
  expect(await folded()).toBe(LINKS)
  const { asked: visited, wrong } = await visits.stop()
  expect(visited).toBeGreaterThan(LINKS)
  // The edge waits for nobody: while Redis restarts it asks MySQL.
  expect(wrong).toEqual([])
  for (const process of [app, edge]) {
    for (const path of ['/SPRING7', '/spring7', '/sPring59']) expect((await process.get(path)).status, path).toBe(302)
  }
  await edge.stop()
}, 180_000)

test('two processes give AB and ab to one, and an import, the API and a report know every spelling', async () => {
  const second = await App.start({ ...env, BASE_URL: origin() })
  const results = await Promise.all(
    ['raceAB', 'raceab', 'RACEAB', 'rAcEaB'].map((code, i) =>
      (i % 2 ? second : app).api('POST', '/links', { url: destination(), code }, { cookie, origin: origin() }),
    ),
  )
  expect(results.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
  expect(JSON.parse((await ask('GET', '/links/RaceAb')).body).code).toBe('raceab')
  expect((await ask('GET', '/links/RaceAb/stats')).status).toBe(200)
  const job = await request(app.port, '/api/v1/links/import', {
    method: 'POST',
    headers: { cookie, origin: origin(), 'content-type': 'text/csv' },
    body: `url,code\n${['Row', 'ROW', 'Other'].map((code) => `${destination()},${code}`).join('\n')}\n`,
  })
  expect(job.status, job.body).toBe(202)
  const { number } = JSON.parse(job.body)
  const ended = await eventually(
    async () => JSON.parse((await ask('GET', `/jobs/${number}`)).body),
    ({ state }) => state === 'done',
    20_000,
  )
  expect(ended).toMatchObject({ done: 3, failed: 1 })
  expect((await app.get('/oTHER')).status).toBe(302)
  await ask('DELETE', '/links/OTHER')
  expect((await second.get('/Other')).status).toBe(410)
  expect((await ask('POST', '/links/oTHER/restore')).status).toBe(200)
  expect((await app.api('POST', '/reports', { shortUrl: `${origin()}/OTHER`, reason: 'spam' })).status).toBe(201)
  await second.stop()
})
