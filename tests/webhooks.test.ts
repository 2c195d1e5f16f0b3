import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from '@/lib/testing/eventually'
import { Receiver } from '@/lib/testing/receiver'
import { App, ownServers, query, type Servers } from './harness'

/** Webhooks of the built app, whose process is killed. */

let servers: Servers
let app: App
let cookie = ''
let receiver: Receiver

const start = () =>
  App.start({ DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl, FETCH_ALLOW: '127.0.0.1', RATE_LIMIT: 'off' })

beforeAll(async () => {
  servers = await ownServers()
  receiver = await Receiver.open()
  app = await start()
  const signedUp = await app.call('POST', '/api/auth/sign-up/email', {
    name: 'Someone',
    email: 'someone@example.com',
    password: 'a long enough password',
  })
  cookie = (signedUp.headers['set-cookie'] ?? []).map((one) => one.split(';', 1)[0]).join('; ')
  const body = { url: receiver.url, events: ['link.created', 'link.clicked'] }
  const made = await app.call('POST', '/api/v1/webhooks', body, { cookie })
  expect(made.status, made.body).toBe(201)
})

afterAll(async () => {
  await app?.stop()
  await servers?.stop()
})

it('a process that is killed while it creates, counts and sends loses no event, and repeats one only under its own id', async () => {
  const codes = new Set<string>()
  let clicked = 0
  let killed = false
  // Half of what is sent is not answered before the kill.
  receiver.answer = () => (receiver.received.length % 2 === 0 && !killed ? new Promise<number>(() => {}) : 200)
  const create = async (n: number) => {
    const made = await app.call('POST', '/api/v1/links', { url: `https://example.com/${n}` }, { cookie })
    if (made.status !== 201) return
    const { code } = JSON.parse(made.body) as { code: string }
    codes.add(code)
    const redirect = await app.get(`/${code}`)
    if (redirect.status === 302) clicked += 1
  }
  const work = Array.from({ length: 8 }, async (_, lane) => {
    for (let n = 0; n < 25 && !killed; n++) await create(lane * 100 + n).catch(() => {})
  })
  await eventually(() => expect(receiver.received.length).toBeGreaterThan(3))
  killed = true
  app.child.kill('SIGKILL')
  await Promise.all(work)
  app = await start()
  // Rather than a minute later.
  await query(servers.databaseUrl, 'UPDATE Webhook SET leaseUntil = NULL')
  const created = () => new Set(receiver.of('link.created').map(({ body }) => body.data.link.code))
  const batches = () => new Map(receiver.of('link.clicked').map(({ id, body }) => [id, body.data.clicks]))
  await eventually(() => expect([...codes].filter((code) => !created().has(code))).toEqual([]))
  await eventually(async () => {
    const [row] = await query<{ clicks: number }>(servers.databaseUrl, 'SELECT CAST(SUM(clicks) AS SIGNED) AS clicks FROM Link')
    expect(Number(row?.clicks)).toBeGreaterThanOrEqual(clicked)
    expect([...batches().values()].flat()).toHaveLength(Number(row?.clicks))
  })
  const bodies = new Map<string, string>()
  for (const { id, text } of receiver.received) {
    expect(bodies.get(id) ?? text).toBe(text)
    bodies.set(id, text)
  }
})
