import { afterAll, beforeAll, expect, test } from 'vitest'
import { App, destination, privateServers, request, type Servers } from './harness'

let servers: Servers
let env: { DATABASE_URL: string; REDIS_URL: string; RATE_LIMIT: string }
/** Without limits, to make links by. */
let free: App

beforeAll(async () => {
  servers = await privateServers()
  env = { DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl, RATE_LIMIT: 'on' }
  free = await App.start({ ...env, RATE_LIMIT: 'off' })
})

afterAll(async () => {
  await free?.stop()
  await servers?.stop()
})

const flood = async (limited: App, client: (i: number) => string) => {
  const answers = []
  for (let i = 0; i < 70; i++) {
    answers.push(await limited.api('POST', '/links', { url: destination() }, { 'x-forwarded-for': client(i) }))
  }
  return answers
}

test('creation is limited per client, whatever it writes into X-Forwarded-For', async () => {
  const limited = await App.start(env)
  const answers = await flood(limited, (i) => `203.0.113.${i}`)
  expect(answers.map(({ status }) => status)).toEqual([...Array(60).fill(201), ...Array(10).fill(429)])
  const refused = answers.at(-1)
  expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)
  expect(refused?.headers['content-type']).toBe('application/problem+json')
  expect(JSON.parse(refused?.body ?? '')).toMatchObject({ status: 429, code: 'rate_limited' })
  await limited.stop()
})

test('behind a trusted proxy each client has its own limit, by the last address that the proxy wrote', async () => {
  const proxied = await App.start({ ...env, TRUSTED_PROXIES: '127.0.0.0/8' })
  const statuses = (await flood(proxied, (i) => `198.51.100.${i}`)).map(({ status }) => status)
  expect(statuses).toEqual(Array(70).fill(201))
  const spoofed = (await flood(proxied, (i) => `192.0.2.${i}, 198.51.100.200`)).map(({ status }) => status)
  expect(spoofed).toEqual([...Array(60).fill(201), ...Array(10).fill(429)])
  await proxied.stop()
})

test('passwords are limited per client and link before the hash: the right one is refused too', async () => {
  const limited = await App.start(env)
  const locked = await free.create({ url: destination(), password: 'right' })
  const guess = (code: string, password: string) =>
    request(limited.port, `/${code}`, { method: 'POST', body: `password=${password}` })
  const guesses = []
  for (let i = 0; i < 12; i++) guesses.push((await guess(locked.code, `guess-${i}`)).status)
  expect(guesses).toEqual([...Array(10).fill(403), 429, 429])
  const refused = await guess(locked.code, 'right')
  expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true])
  const other = await free.create({ url: destination(), password: 'right', routing: { path: 'append' } })
  expect((await guess(other.code, 'right')).status).toBe(303)
  // Whatever stands behind the code, it is one link's password.
  for (let i = 0; i < 10; i++) expect((await guess(`${other.code}/${i}`, `guess-${i}`)).status).toBe(403)
  expect((await guess(`${other.code}/10`, 'right')).status).toBe(429)
  await limited.stop()
})

test('a hanging Redis makes the limiter count for itself, and nobody wait', async () => {
  const limited = await App.start({ ...env, TRUSTED_PROXIES: '127.0.0.1' })
  await servers.redis.kill('SIGSTOP')
  try {
    const begun = Date.now()
    const answers = await Promise.all(
      Array.from({ length: 61 }, () =>
        limited.api('POST', '/links', { url: destination() }, { 'x-forwarded-for': '203.0.113.9' }),
      ),
    )
    expect(Date.now() - begun).toBeLessThan(8_000)
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(60).fill(201), 429])
  } finally {
    await servers.redis.kill('SIGCONT')
  }
  await limited.trusted()
  await limited.stop()
})
