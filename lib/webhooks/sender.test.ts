import { type AddressInfo, createServer as createTcp } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import * as api from '@/lib/api/webhooks'
import { createLink } from '@/lib/links/create'
import { CreateLink } from '@/lib/links/schemas'
import { freshEmail, PASSWORD, Visitor } from '@/lib/testing/accounts'
import { atEnd } from '@/lib/testing/cleanup'
import { testDatabase } from '@/lib/testing/database'
import { eventually } from '@/lib/testing/eventually'
import { Receiver } from '@/lib/testing/receiver'
import { testRedis } from '@/lib/testing/redis'
import { owner, settled, testRuntime } from '@/lib/testing/runtime'
import { MOST_WEBHOOKS } from './values'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url, FETCH_ALLOW: '127.0.0.0/8' })
await settled(ctx)

/** An account with some webhooks, all to one receiver, or to another address. */
async function listening(count: number, address?: string) {
  const visitor = new Visitor(ctx)
  await visitor.auth('/sign-up/email', { email: freshEmail(), name: 'Someone', password: PASSWORD })
  const id: string = (await visitor.auth('/get-session')).body.user.id
  const receiver = await Receiver.open()
  const create = (_: unknown, n: number) =>
    visitor.ask(api.postWebhook, 'POST', '/api/v1/webhooks', { url: `${address ?? receiver.url}/${n}`, events: ['link.created'] })
  const made = await Promise.all(Array.from({ length: count }, create))
  expect(made.map(({ status }) => status)).toEqual(Array(count).fill(201))
  const tell = () => createLink(ctx, owner(id), CreateLink.parse({ url: 'https://example.com/' }))
  const states = async () =>
    (
      await connection.query<{ state: number }[]>(
        'SELECT state FROM WebhookDelivery JOIN Webhook ON Webhook.id = webhookId WHERE ownerId = ?',
        [id],
      )
    ).map(({ state }) => Number(state))
  return { id, receiver, tell, states }
}

/** Answers after a while. @returns the most requests that were under way at once, so far */
function answerSlowly({ receiver }: { receiver: Receiver }, status: number): { most: number } {
  const seen = { most: 0 }
  let underWay = 0
  receiver.answer = async () => {
    underWay += 1
    seen.most = Math.max(seen.most, underWay)
    await delay(100)
    underWay -= 1
    return status
  }
  return seen
}

describe('an account', () => {
  it('takes no more than two places of the sender, whatever waits for its webhooks', async () => {
    const [many, other] = [await listening(MOST_WEBHOOKS), await listening(1)]
    await many.tell()
    await eventually(() => expect(many.receiver.received).toHaveLength(MOST_WEBHOOKS))
    await eventually(async () => expect(await many.states()).toEqual(Array(MOST_WEBHOOKS).fill(1)))
    let free = () => {}
    const held = new Promise<number>((resolve) => {
      free = () => resolve(200)
    })
    many.receiver.answer = () => held
    await many.tell()
    await eventually(() => expect(many.receiver.received).toHaveLength(MOST_WEBHOOKS + 2))
    await other.tell()
    await eventually(() => expect(other.receiver.received).toHaveLength(1))
    expect(many.receiver.received).toHaveLength(MOST_WEBHOOKS + 2)
    free()
    await eventually(() => expect(many.receiver.received).toHaveLength(2 * MOST_WEBHOOKS))
  })

  it('that is banned is sent nothing more, also of what waited', async () => {
    const { id, receiver, tell, states } = await listening(1)
    receiver.answer = () => 500
    await tell()
    await eventually(async () => expect(receiver.received).toHaveLength(1))
    receiver.answer = () => 200
    await connection.query('UPDATE User SET banned = TRUE WHERE id = ?', [id])
    await eventually(async () => expect(await states()).toEqual([2]))
    expect(receiver.received).toHaveLength(1)
    const [row] = await connection.query<{ failure: string }[]>(
      'SELECT failure FROM WebhookDelivery JOIN Webhook ON Webhook.id = webhookId WHERE ownerId = ?',
      [id],
    )
    expect(row?.failure).toBe('banned')
  })
})

describe('a host that has taken nothing yet', () => {
  it('is asked for one thing at a time, whatever waits for it', async () => {
    const stranger = await listening(MOST_WEBHOOKS)
    const seen = answerSlowly(stranger, 404)
    for (let i = 0; i < 3; i++) await stranger.tell()
    await eventually(() => expect(stranger.receiver.received.length).toBeGreaterThanOrEqual(MOST_WEBHOOKS))
    expect(seen.most).toBe(1)
  })

  it('gives its place back where it switches protocols in place of an answer', async () => {
    const host = createTcp((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'))
    })
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
    atEnd(() => host.close())
    // One after the other.
    const { id, tell } = await listening(2, `http://127.0.0.1:${(host.address() as AddressInfo).port}`)
    await tell()
    await eventually(async () => {
      const rows = await connection.query<{ attempts: number; failure: string }[]>(
        'SELECT attempts, failure FROM WebhookDelivery JOIN Webhook ON Webhook.id = webhookId WHERE ownerId = ?',
        [id],
      )
      expect(rows.map(({ failure }) => failure)).toEqual(['connection', 'connection'])
    })
  })

  it('is sent several at once after it took the first', async () => {
    const { receiver, tell, states } = await listening(1)
    const seen = answerSlowly({ receiver }, 200)
    for (let i = 0; i < 10; i++) await tell()
    await eventually(async () => expect(await states()).toEqual(Array(10).fill(1)))
    await Promise.all(Array.from({ length: 10 }, tell))
    await eventually(async () => expect(await states()).toEqual(Array(20).fill(1)))
    expect(seen.most).toBeGreaterThan(1)
  })
})

it('a lease, and what was due at once, from before the clock was set back hold nothing up', async () => {
  const { id, receiver, tell, states } = await listening(1)
  let free = () => {}
  const held = new Promise<number>((resolve) => {
    free = () => resolve(200)
  })
  receiver.answer = () => held
  await tell()
  await eventually(() => expect(receiver.received).toHaveLength(1))
  receiver.answer = () => 200
  await tell()
  await eventually(async () => expect(await states()).toEqual([0, 0]))
  // As these lie for a clock that is an hour behind.
  const ahead = 'UTC_TIMESTAMP(3) + INTERVAL 1 HOUR'
  await connection.query(
    `UPDATE WebhookDelivery JOIN Webhook ON Webhook.id = webhookId SET nextAt = ${ahead}, giveUpAt = giveUpAt + INTERVAL 1 HOUR
      WHERE ownerId = ?`,
    [id],
  )
  await connection.query(`UPDATE Webhook SET leaseUntil = ${ahead} WHERE ownerId = ?`, [id])
  await tell()
  await eventually(async () => expect(await states()).toEqual([1, 1, 1]))
  free()
})
