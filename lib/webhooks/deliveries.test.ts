import { describe, expect, it } from 'vitest'
import * as api from '@/lib/api/webhooks'
import { createLink } from '@/lib/links/create'
import { POLICIES } from '@/lib/net/policies'
import { testDatabase } from '@/lib/testing/database'
import { eventually } from '@/lib/testing/eventually'
import { Mailbox } from '@/lib/testing/mail'
import { testRedis } from '@/lib/testing/redis'
import { settled, testRuntime } from '@/lib/testing/runtime'
import { newLink, nth, webhookTests } from '@/lib/testing/webhooks'
import { resendDelivery, testWebhook } from './deliveries'
import { EVENTS_KEPT } from './schedule'
import { WebhookSweeper } from './sweep'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const mailbox = await Mailbox.open()
const settings = { DATABASE_URL: url, REDIS_URL: redis.url, FETCH_ALLOW: '127.0.0.0/8' }
const ctx = await testRuntime({ ...settings, SMTP_URL: mailbox.url })
const { listening } = webhookTests(ctx, connection)
await settled(ctx)

describe('what is sent because someone asks for it', () => {
  it('is limited for each account: it does not wait where the webhook fails', async () => {
    const limited = await testRuntime({ ...settings, RATE_LIMIT: 'on' })
    const [one, other] = [await listening(['link.created']), await listening(['link.created'])]
    const test = ({ actor, hook }: typeof one) => testWebhook(limited, actor.ownerId ?? '', hook.id)
    const { points } = POLICIES.webhookSends
    const tested = await Promise.all(Array.from({ length: points }, () => test(one)))
    expect(tested.map(({ state }) => state)).toEqual(new Array(points).fill('waiting'))
    await expect(test(one)).rejects.toMatchObject({ code: 'rate_limited' })
    const [delivery] = tested
    const again = resendDelivery(limited, one.actor.ownerId ?? '', one.hook.id, delivery?.id ?? '')
    await expect(again).rejects.toMatchObject({ code: 'rate_limited' })
    expect((await test(other)).state).toBe('waiting')
    // What is still to come would be sent to the next test, if that is given the same port.
    await Promise.all([nth(one.receiver.received, points), nth(other.receiver.received)])
  })
})

describe('what cannot be sent', () => {
  it('is sent again under the same id, until it is taken', async () => {
    const { actor, receiver, log, on } = await listening(['link.created'])
    receiver.answer = () => (receiver.received.length === 1 ? 500 : 204)
    await createLink(ctx, actor, newLink('again'))
    const first = await nth(receiver.received)
    await eventually(async () => expect((await log())[0]).toMatchObject({ state: 'waiting', status: 500, failure: 'status' }))
    expect((await on(api.getWebhooks, 'GET')).body.webhooks[0].failingSince).not.toBeNull()
    const second = await nth(receiver.received, 2)
    expect([second.id, second.text]).toEqual([first.id, first.text])
    await eventually(async () => expect((await log())[0]).toMatchObject({ state: 'delivered', attempts: 2, failure: null }))
    expect((await on(api.getWebhooks, 'GET')).body.webhooks[0].failingSince).toBeNull()
  })

  it('is given up after a day, shown in the log, and can be sent again', async () => {
    const { actor, receiver, log, on, hook } = await listening(['link.created'])
    receiver.answer = () => 503
    await createLink(ctx, actor, newLink('given up'))
    await nth(receiver.received)
    await eventually(async () => expect((await log())[0]).toMatchObject({ state: 'waiting', attempts: 1 }))
    await connection.query(
      'UPDATE WebhookDelivery SET giveUpAt = UTC_TIMESTAMP(3), nextAt = UTC_TIMESTAMP(3) WHERE webhookId = ?',
      [hook.id],
    )
    await eventually(async () => expect((await log())[0]).toMatchObject({ state: 'failed', nextAt: null }))
    receiver.answer = () => 200
    const [{ id }] = await log()
    expect((await on(api.getOneDelivery, 'GET', undefined, { delivery: id })).body.body).toBe(receiver.received[0]?.text)
    expect((await on(api.postResend, 'POST', undefined, { delivery: id })).status).toBe(202)
    await eventually(async () => expect((await log())[0]).toMatchObject({ state: 'delivered', id }))
    expect(new Set(receiver.received.map((one) => one.id))).toEqual(new Set([id]))
  })

  it('turns the webhook off after three days, with one mail; turned on again it is told what happens then', async () => {
    const { actor, email, receiver, log, on, hook } = await listening(['link.created'])
    receiver.answer = () => 500
    await createLink(ctx, actor, newLink('failing'))
    await eventually(async () => expect((await log())[0]).toMatchObject({ attempts: 1 }))
    await connection.query(
      'UPDATE Webhook SET failingSince = UTC_TIMESTAMP(3) - INTERVAL 3 DAY, dueAt = UTC_TIMESTAMP(3) WHERE id = ?',
      [hook.id],
    )
    await connection.query('UPDATE WebhookDelivery SET attempts = 4, nextAt = UTC_TIMESTAMP(3) WHERE webhookId = ?', [hook.id])
    const { raw } = await mailbox.mail(email, 2)
    expect(raw).toContain('was turned off')
    await eventually(async () => expect((await log())[0]).toMatchObject({ state: 'failed', failure: 'turnedOff' }))
    const [view] = (await on(api.getWebhooks, 'GET')).body.webhooks
    expect(view).toMatchObject({ enabled: false, turnedOffAt: expect.any(String) })
    const [{ id }] = await log()
    expect((await on(api.postResend, 'POST', undefined, { delivery: id })).status).toBe(409)
    receiver.answer = () => 200
    const before = receiver.received.length
    await createLink(ctx, actor, newLink('while off'))
    expect((await on(api.patchWebhook, 'PATCH', { enabled: true })).body).toMatchObject({ enabled: true, turnedOffAt: null })
    const { link: made } = await createLink(ctx, actor, newLink('on again'))
    expect((await nth(receiver.received, before + 1)).body.data.link.id).toBe(made.id.toString())
    expect(mailbox.to(email)).toHaveLength(2)
  })

  it('holds up no other webhook of anyone, however long a receiver takes', async () => {
    const [slow, quick] = [await listening(['link.created']), await listening(['link.created'])]
    let free = () => {}
    const held = new Promise<number>((resolve) => {
      free = () => resolve(200)
    })
    slow.receiver.answer = () => held
    await createLink(ctx, slow.actor, newLink('slow'))
    await nth(slow.receiver.received)
    await createLink(ctx, quick.actor, newLink('quick'))
    await nth(quick.receiver.received)
    free()
    await eventually(async () => expect((await slow.log())[0]).toMatchObject({ state: 'delivered' }))
  })

  it('is said of a name that has led to a private network since', async () => {
    const { actor, log, hook } = await listening(['link.created'])
    await connection.query("UPDATE Webhook SET url = 'http://10.1.2.3/' WHERE id = ?", [hook.id])
    await createLink(ctx, actor, newLink('inside'))
    await eventually(async () => expect((await log())[0]).toMatchObject({ failure: 'private', status: null, state: 'waiting' }))
  })

  it('is what a redirect leads to: none is followed', async () => {
    const { actor, receiver, log } = await listening(['link.created'])
    receiver.answer = () => 302
    await createLink(ctx, actor, newLink('redirect'))
    await eventually(async () => expect((await log())[0]).toMatchObject({ failure: 'status', status: 302 }))
  })
})

describe('the log', () => {
  it('goes with time, but for what still waits; and with its webhook', async () => {
    const { actor, receiver, log, hook, on } = await listening(['link.created'])
    for (const name of ['one', 'two']) await createLink(ctx, actor, newLink(name))
    await eventually(async () =>
      expect((await log()).map((row: { state: string }) => row.state)).toEqual(['delivered', 'delivered']),
    )
    const [newest] = await log()
    await connection.query("UPDATE WebhookDelivery SET state = 0, nextAt = '2040-01-01' WHERE eventId = UNHEX(?)", [newest.id])
    const sweeper = new WebhookSweeper(ctx.db, ctx.log)
    await sweeper.sweep(Date.now() + EVENTS_KEPT + 60_000)
    expect((await log()).map((row: { id: string }) => row.id)).toEqual([newest.id])
    expect(receiver.received).toHaveLength(2)
    expect((await on(api.removeWebhook, 'DELETE')).status).toBe(204)
    await sweeper.sweep(Date.now() + EVENTS_KEPT + 60_000)
    expect(await connection.query('SELECT 1 FROM WebhookDelivery WHERE webhookId = ?', [hook.id])).toEqual([])
    expect(await connection.query('SELECT 1 FROM WebhookEvent WHERE id = UNHEX(?)', [newest.id])).toEqual([])
  })

  it('goes with time whatever others are still to be sent, and what waits goes a week later', async () => {
    const [waiting, other] = [await listening(['link.created']), await listening(['link.created'])]
    waiting.receiver.answer = () => 500
    await createLink(ctx, waiting.actor, newLink('waits'))
    await eventually(async () => expect((await waiting.log())[0]).toMatchObject({ state: 'waiting', attempts: 1 }))
    await createLink(ctx, other.actor, newLink('done'))
    await eventually(async () => expect((await other.log())[0]).toMatchObject({ state: 'delivered' }))
    const [kept, gone] = [(await waiting.log())[0].id, (await other.log())[0].id]
    const events = async () =>
      (await connection.query<{ id: string }[]>('SELECT LOWER(HEX(id)) AS id FROM WebhookEvent')).map(({ id }) => id)
    expect(await events()).toEqual(expect.arrayContaining([kept, gone]))
    const sweeper = new WebhookSweeper(ctx.db, ctx.log)
    await sweeper.sweep(Date.now() + EVENTS_KEPT + 60_000)
    const left = await events()
    expect([left.includes(kept), left.includes(gone)]).toEqual([true, false])
    await sweeper.sweep(Date.now() + 2 * EVENTS_KEPT + 60_000)
    expect(await events()).not.toContain(kept)
    expect(await waiting.log()).toEqual([])
  })

  it('sends nothing again that is older than a week', async () => {
    const { actor, log, on, hook } = await listening(['link.created'])
    await createLink(ctx, actor, newLink('old'))
    await eventually(async () => expect((await log())[0]).toMatchObject({ state: 'delivered' }))
    const [{ id }] = await log()
    const old = `${(Date.now() - EVENTS_KEPT - 60_000).toString(16).padStart(12, '0')}${id.slice(12)}`
    await connection.query('UPDATE WebhookEvent SET id = UNHEX(?) WHERE id = UNHEX(?)', [old, id])
    await connection.query('UPDATE WebhookDelivery SET eventId = UNHEX(?) WHERE webhookId = ?', [old, hook.id])
    const refused = await on(api.postResend, 'POST', undefined, { delivery: old })
    expect([refused.status, (await log())[0].state]).toEqual([404, 'delivered'])
  })
})
