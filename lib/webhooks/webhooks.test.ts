import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import * as api from '@/lib/api/webhooks'
import { createLink } from '@/lib/links/create'
import { deleteLink } from '@/lib/links/delete'
import { restoreLink } from '@/lib/links/restore'
import { CreateLink, UpdateLink } from '@/lib/links/schemas'
import { updateLink } from '@/lib/links/update'
import { hostOf } from '@/lib/links/view'
import { createReport } from '@/lib/reports/create'
import { keepAccount, type Visitor } from '@/lib/testing/accounts'
import { createLinks } from '@/lib/testing/create-links'
import { testDatabase } from '@/lib/testing/database'
import { eventually } from '@/lib/testing/eventually'
import { testRedis } from '@/lib/testing/redis'
import { owner, settled, testRuntime } from '@/lib/testing/runtime'
import { newLink, nth, webhookTests } from '@/lib/testing/webhooks'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url, FETCH_ALLOW: '127.0.0.0/8' })
const { signedIn, listening } = webhookTests(ctx, connection)
await settled(ctx)

describe('a webhook', () => {
  it('is told of what is created, changed, restored and deleted, each once, signed as Standard Webhooks say', async () => {
    const { actor, receiver, hook, log } = await listening(['link.created', 'link.changed', 'link.deleted'])
    const { link: made } = await createLink(ctx, actor, newLink('told'))
    const address = { code: made.code, domain: hostOf(made.fullShortUrl) }
    await updateLink(ctx, actor, address, UpdateLink.parse({ title: 'Changed', password: 'secret' }))
    // Changes nothing, and so is nothing to tell.
    await updateLink(ctx, actor, address, UpdateLink.parse({ title: 'Changed' }))
    await deleteLink(ctx, actor, address)
    await restoreLink(ctx, actor, address)
    await eventually(() => expect(receiver.received).toHaveLength(4))
    const verify = new Webhook(hook.secret)
    for (const { text, headers } of receiver.received) verify.verify(text, headers as Record<string, string>)
    const changed = receiver.received[1]
    expect(() => verify.verify(`${changed?.text} `, changed?.headers as Record<string, string>)).toThrow()
    expect(receiver.received.map(({ body }) => body.type)).toEqual([
      'link.created',
      'link.changed',
      'link.deleted',
      'link.changed',
    ])
    expect(receiver.of('link.created')[0]?.body.data.link).toMatchObject({ id: made.id.toString(), url: made.url, title: '' })
    expect(receiver.of('link.changed').map(({ body }) => body.data.changed)).toEqual([['title', 'password'], ['state']])
    expect(receiver.of('link.changed').map(({ body }) => body.data.changes)).toEqual([
      [
        { field: 'title', from: '', to: 'Changed' },
        { field: 'password', from: false, to: true },
      ],
      [{ field: 'state', from: 'deleted', to: 'active' }],
    ])
    expect(receiver.of('link.changed')[0]?.text).not.toContain('secret')
    expect(receiver.of('link.deleted')[0]?.body.data.link.state).toBe('deleted')
    await eventually(async () => {
      const deliveries = await log()
      expect(deliveries.map((row: { state: string }) => row.state)).toEqual(Array(4).fill('delivered'))
      expect(deliveries[3]).toMatchObject({ event: 'link.created', status: 200, answer: 'thanks', attempts: 1 })
    })
    expect(await connection.query('SELECT * FROM EventOutbox')).toEqual([])
  })

  it('is told of a link with long rules without these, each time again', async () => {
    const { actor, receiver } = await listening(['link.created', 'link.changed'])
    const rules = Array.from({ length: 7 }, (_, i) => ({
      when: [{ of: 'query', name: `q${i}` }],
      url: `https://example.com/${randomBytes(3_000).toString('base64url')}`,
    }))
    const { link: made } = await createLink(ctx, actor, CreateLink.parse({ url: 'https://example.com/', routing: { rules } }))
    const { link: short } = await createLink(
      ctx,
      actor,
      CreateLink.parse({ url: 'https://example.com/', routing: { rules: [{ ...rules[0], url: 'https://example.com/short' }] } }),
    )
    for (const { code, fullShortUrl } of [made, short]) {
      await updateLink(ctx, actor, { code, domain: hostOf(fullShortUrl) }, UpdateLink.parse({ enabled: false }))
    }
    await eventually(() => expect(receiver.received).toHaveLength(4))
    const told = (id: bigint) => receiver.received.filter(({ body }) => body.data.link.id === id.toString())
    for (const { text, body } of told(made.id)) {
      expect(text.length).toBeLessThan(2_000)
      expect(body.data.link).not.toHaveProperty('routing')
    }
    for (const { body } of told(short.id)) expect(body.data.link.routing.rules).toHaveLength(1)
  })

  it('is sent a test when its owner asks, whatever it listens to, and not while it is off', async () => {
    const { receiver, hook, on, log } = await listening(['link.deleted'])
    const asked = await on(api.postTest, 'POST')
    expect(asked.status, JSON.stringify(asked.body)).toBe(202)
    const { body, text, headers } = await nth(receiver.received)
    new Webhook(hook.secret).verify(text, headers as Record<string, string>)
    expect(body).toMatchObject({ type: 'webhook.test', data: { webhook: { id: hook.id, url: receiver.url } } })
    expect(headers['webhook-id']).toBe(asked.body.id)
    await eventually(async () => expect((await log())[0]).toMatchObject({ event: 'webhook.test', state: 'delivered' }))
    await on(api.patchWebhook, 'PATCH', { enabled: false })
    expect((await on(api.postTest, 'POST')).status).toBe(409)
    const choosing = await on(api.patchWebhook, 'PATCH', { events: ['webhook.test'] })
    expect(choosing.body.errors).toEqual([expect.objectContaining({ path: 'events.0' })])
    expect(await log()).toHaveLength(1)
  })

  it('is told of each of many links that are created at once', async () => {
    const { actor, receiver } = await listening(['link.created'])
    const made = await createLinks(
      ctx,
      actor,
      Array.from({ length: 120 }, () => newLink('many')),
    )
    const ids = made.map(({ link: { id } }) => id.toString()).sort()
    await eventually(() => expect(receiver.received.map(({ body }) => body.data.link.id).sort()).toEqual(ids))
  })

  it('is told nothing of other accounts, nor what it does not listen to; and nothing is kept for who has none', async () => {
    const { receiver } = await listening(['link.deleted'])
    const [one, other] = [await listening(['link.created']), owner('nobody listens')]
    await keepAccount(ctx.db, 'nobody listens')
    await createLink(ctx, other, newLink('other'))
    await createLink(ctx, one.actor, newLink('own'))
    await nth(one.receiver.received)
    expect(one.receiver.received).toHaveLength(1)
    expect(receiver.received).toHaveLength(0)
    const told = await connection.query("SELECT 1 FROM EventOutbox WHERE ownerId = 'nobody listens'")
    expect(told).toEqual([])
  })

  it('tells admins of reports, everyone else nothing of them', async () => {
    const { actor, visitor } = await listening(['link.created'])
    const refused = await visitor.ask(api.postWebhook, 'POST', '/api/v1/webhooks', {
      url: 'http://127.0.0.1:8080/',
      events: ['report.received'],
    })
    expect(refused.body.errors).toEqual([expect.objectContaining({ path: 'events' })])
    const admin = await listening(['report.received'], 'admin')
    const { link: made } = await createLink(ctx, actor, newLink('bad'))
    const reference = await createReport(
      ctx,
      {
        shortUrl: ctx.domains.shortUrl(hostOf(made.fullShortUrl), made.code),
        reason: 'spam',
        details: 'odd',
        email: 'me@example.com',
      },
      'client',
    )
    const { body, text } = await nth(admin.receiver.received)
    expect(body).toMatchObject({ type: 'report.received', data: { report: { reference, reason: 'spam', url: made.url } } })
    expect(text).not.toContain('me@example.com')
  })

  it('signs with both secrets for a day after it was rolled', async () => {
    const { actor, receiver, hook, on } = await listening(['link.created'])
    const rolled = (await on(api.postSecret, 'POST')).body.secret
    expect(rolled).not.toBe(hook.secret)
    await createLink(ctx, actor, newLink('rolled'))
    const { text, headers } = await nth(receiver.received)
    for (const secret of [hook.secret, rolled]) new Webhook(secret).verify(text, headers as Record<string, string>)
    await connection.query('UPDATE Webhook SET rolledAt = rolledAt - INTERVAL 2 DAY WHERE id = ?', [hook.id])
    await createLink(ctx, actor, newLink('rolled'))
    const later = await nth(receiver.received, 2)
    new Webhook(rolled).verify(later.text, later.headers as Record<string, string>)
    expect(() => new Webhook(hook.secret).verify(later.text, later.headers as Record<string, string>)).toThrow()
  })
})

describe('an address', () => {
  it.each([
    ['http://10.0.0.1/', 'private network'],
    ['http://169.254.169.254/latest', 'private network'],
    ['http://[::1]/', 'private network'],
    ['http://[::ffff:10.0.0.1]/', 'private network'],
    ['http://0x0a000001/', 'private network'],
    ['http://8.8.8.8:25/', 'port'],
    ['ftp://8.8.8.8/', 'http'],
    ['https://user:password@8.8.8.8/', 'password'],
    ['nonsense', 'URL'],
  ])('%s is refused on its field', async (address, word) => {
    const { visitor } = await signedIn()
    const { status, body } = await visitor.ask(api.postWebhook, 'POST', '/api/v1/webhooks', {
      url: address,
      events: ['link.created'],
    })
    expect(status).toBe(422)
    expect(body.errors).toEqual([{ path: 'url', message: expect.stringContaining(word) }])
    expect((await visitor.ask(api.getWebhooks, 'GET', '/api/v1/webhooks')).body.webhooks).toEqual([])
  })

  it('cannot be one of more than ten, though many are asked for at once', async () => {
    const { visitor } = await signedIn()
    const ask = () =>
      visitor.ask(api.postWebhook, 'POST', '/api/v1/webhooks', { url: 'http://127.0.0.1:9999/', events: ['link.created'] })
    const answers = await Promise.all(Array.from({ length: 14 }, ask))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(4)
  })

  it('is someone’s own: to others there is no such webhook', async () => {
    const [{ hook }, { visitor: other }] = [await listening(['link.created']), await signedIn()]
    const ask = (handler: Parameters<Visitor['ask']>[0], method: string, body?: unknown) =>
      other.ask(handler, method, '/api/v1/webhooks', body, {}, { id: hook.id, delivery: '0'.repeat(32) })
    const answers = [
      await ask(api.patchWebhook, 'PATCH', { enabled: false }),
      await ask(api.removeWebhook, 'DELETE'),
      await ask(api.postSecret, 'POST'),
      await ask(api.getDeliveries, 'GET'),
      await ask(api.getOneDelivery, 'GET'),
      await ask(api.postResend, 'POST'),
    ]
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(404))
  })
})
