import { afterAll, beforeAll, expect, test } from 'vitest'
import { BROWSER } from './clicks'
import { App, eventually, ownServers, type Servers } from './harness'

let servers: Servers
let one: App
let two: App
let cookie = ''

const start = () => App.start({ DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl, RATE_LIMIT: 'off' })

beforeAll(async () => {
  servers = await ownServers()
  one = await start()
  two = await start()
  const who = { name: 'Someone', email: 'someone@example.com', password: 'a long enough password' }
  const signedUp = await one.call('POST', '/api/auth/sign-up/email', who)
  cookie = (signedUp.headers['set-cookie'] ?? []).map((pair) => pair.split(';', 1)[0]).join('; ')
})

afterAll(async () => {
  await Promise.all([one?.stop(), two?.stop()])
  await servers?.stop()
})

const share = async (fields: object) => {
  const made = await one.call('POST', '/api/v1/shares', fields, { cookie })
  expect(made.status, made.body).toBe(201)
  const { id, url } = JSON.parse(made.body) as { id: string; url: string }
  return { id, path: `/api/v1/shared/${new URL(url).searchParams.get('share')}` }
}

test('shared statistics, badge and chart are there in every process at once, and gone at once when they are revoked', async () => {
  const made = await one.call('POST', '/api/v1/links', { url: 'https://example.com/' }, { cookie })
  const { code } = JSON.parse(made.body) as { code: string }
  await one.get(`/${code}`, { 'user-agent': BROWSER })
  const { id, path } = await share({ code, embeddable: true })
  const stats = async (app: App) => JSON.parse((await app.get(`${path}/stats`)).body)
  expect(
    (
      await eventually(
        () => stats(two),
        ({ totals }) => totals.clicks === 1,
      )
    ).conversions,
  ).toBeNull()
  const [badge, chart, page] = [
    await two.get(`${path}/badge.svg`),
    await two.get(`${path}/embed`),
    await two.get('/stats?share=x'),
  ]
  expect([badge.status, chart.status]).toEqual([200, 200])
  expect(badge.headers).toMatchObject({ 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=300' })
  expect(chart.headers['content-security-policy']).toContain("default-src 'none'")
  expect(chart.headers['content-security-policy']).toContain('frame-ancestors *')
  expect(chart.headers['x-frame-options']).toBeUndefined()
  expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'")
  expect(page.body).toContain('noindex')
  const [own] = JSON.parse((await one.call('GET', '/api/v1/shares', undefined, { cookie })).body).shares
  expect(own).toMatchObject({ id, seenAt: expect.any(String) })
  expect(own.url).toBeUndefined()
  expect((await one.call('DELETE', `/api/v1/shares/${id}`, undefined, { cookie })).status).toBe(204)
  for (const suffix of ['', '/stats', '/badge.svg', '/embed']) expect((await two.get(path + suffix)).status).toBe(404)
})

test('a password is asked for by everything that tells numbers, in every process', async () => {
  const { path } = await share({ password: 'open sesame' })
  expect(JSON.parse((await two.get(path)).body)).toEqual({ locked: true, about: null, expiresAt: null })
  expect((await two.get(`${path}/stats`)).status).toBe(401)
  expect((await two.get(`${path}/badge.svg`)).status).toBe(404)
  expect((await two.call('POST', `${path}/unlock`, { password: 'wrong' })).status).toBe(422)
  const { pass } = JSON.parse((await two.call('POST', `${path}/unlock`, { password: 'open sesame' })).body)
  expect((await one.get(`${path}/stats`, { 'share-pass': pass })).status).toBe(200)
  expect((await one.get(`${path}/stats`, { 'share-pass': `${pass}x` })).status).toBe(401)
})
