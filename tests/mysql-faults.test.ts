import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { App, eventually, privateServers, type Servers } from './harness'

let servers: Servers
let app: App
/** Keeps nothing in memory, so that it shows what Redis gives. */
let cold: App

beforeAll(async () => {
  servers = await privateServers()
  const env = { DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl }
  app = await App.start(env)
  cold = await App.start({ ...env, CACHE_ENTRIES: '0' })
})

afterAll(async () => {
  await Promise.all([app?.stop(), cold?.stop()])
  await servers?.stop()
})

describe.each([
  { how: 'stopped', away: () => servers.mariadb.stop(), back: () => servers.mariadb.start() },
  { how: 'frozen', away: () => servers.mariadb.kill('SIGSTOP'), back: () => servers.mariadb.kill('SIGCONT') },
])('MySQL $how', ({ away, back }) => {
  test('cached links redirect, creation is 503 with Retry-After, nothing is denied, and it recovers by itself', async () => {
    const link = await app.create({ url: 'https://example.com/kept' })
    const locked = await app.create({ url: 'https://example.com/locked', password: 'sesame' })
    expect((await app.get(`/${link.code}`)).status).toBe(302)
    await away()
    try {
      expect((await app.get(`/${link.code}`)).status).toBe(302)
      expect((await cold.get(`/${link.code}`)).status).toBe(302)
      const unlocked = await cold.get(`/${locked.code}`)
      expect(unlocked.status).toBe(200)

      const refused = await app.api('POST', '/links', { url: 'https://example.com/not-now' })
      expect(refused.status).toBe(503)
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
      expect(JSON.parse(refused.body)).toMatchObject({ status: 503, code: 'unavailable' })
      expect(refused.headers['content-type']).toContain('application/problem+json')

      // Whether Redis heard of everything cannot be known now, so its "no" is no answer.
      const unknown = await eventually(
        () => app.get(`/who-knows-${Math.random().toString(36).slice(2)}`),
        (answer) => answer.status === 503,
        3_000,
      )
      expect(Number(unknown.headers['retry-after'])).toBeGreaterThan(0)
      expect((await app.get('/healthz')).status).toBe(200)
      expect((await app.get('/readyz')).status).toBe(503)
    } finally {
      await back()
    }
    const made = await eventually(
      () => app.api('POST', '/links', { url: 'https://example.com/again' }),
      (answer) => answer.status === 201,
    )
    expect((await cold.get(`/${JSON.parse(made.body).code}`)).status).toBe(302)
    await eventually(
      () => app.get(`/who-knows-${Math.random().toString(36).slice(2)}`),
      (answer) => answer.status === 404,
      5_000,
    )
    expect(app.alive && cold.alive).toBe(true)
    expect(app.log).not.toMatch(/unhandled/i)
  })
})
