import { describe, expect, it } from 'vitest'
import { applyBatches } from '@/lib/clicks/apply'
import { ClickLimit } from '@/lib/clicks/limit'
import { nextId } from '@/lib/db/id'
import { eventBits } from '@/lib/events/kinds'
import { noteEvents } from '@/lib/events/outbox'
import { keepAccount } from '@/lib/testing/accounts'
import { alike, clickCounts, makeLink, makeLinks, openGateway, storedBatch, storedClick } from '@/lib/testing/counting'
import { testDatabase } from '@/lib/testing/database'
import { eventually } from '@/lib/testing/eventually'
import { Receiver } from '@/lib/testing/receiver'
import { testRedis } from '@/lib/testing/redis'
import { testRuntime } from '@/lib/testing/runtime'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url, FETCH_ALLOW: '127.0.0.0/8' })
const db = openGateway(url, 8)

/** A webhook of an account of its own. */
async function listening(kinds: Parameters<typeof eventBits>[0]) {
  const [receiver, id] = [await Receiver.open(), nextId()]
  const ownerId = `owner of ${id}`
  await keepAccount(db, ownerId)
  await db.client.webhook.createMany({
    data: [{ id, ownerId, url: receiver.url, events: eventBits(kinds), createdAt: new Date() }],
  })
  return { receiver, ownerId, id }
}

/** All clicks of what was received, by batch, each batch once. */
function clicksOf(receiver: Receiver): { link: { id: string }; referrer: string }[] {
  const batches = new Map(receiver.of('link.clicked').map(({ id, body }) => [id, body.data.clicks]))
  return [...batches.values()].flat()
}

describe('clicks', () => {
  it('are told in batches: exactly those that are counted, each in one, however often they come to be counted', async () => {
    const { receiver, ownerId } = await listening(['link.clicked'])
    const links = await makeLinks(db, 3, { ownerId })
    const others = await makeLinks(db, 2)
    // By its referrer each is known again.
    let clicked = 0
    const click = (linkId: bigint) => storedClick(linkId, { referrer: `${clicked++}.example`, userAgent: 'x'.repeat(400) })
    const batches = Array.from({ length: 40 }, (_, i) =>
      storedBatch([...links, ...others].flatMap(({ id }) => Array.from({ length: 1 + (i % 7) }, () => click(id)))),
    )
    const gateways = [db, openGateway(url, 4), openGateway(url, 4)]
    const results = await Promise.all(
      gateways.map(async (gateway, i) => {
        let applied = 0
        const set = [...batches.slice(i * 9), ...batches.slice(0, i * 9)]
        for (let at = 0; at < set.length; at += 3 + i) applied += (await applyBatches(gateway, set.slice(at, at + 3 + i))).applied
        return applied
      }),
    )
    expect(results.reduce((sum, one) => sum + one)).toBe(clicked)
    const counts = await Promise.all(links.map(({ id }) => clickCounts(connection, id)))
    const each = clicked / 5
    expect(counts).toEqual(links.map(() => alike(each)))
    await eventually(() => expect(clicksOf(receiver)).toHaveLength(3 * each))
    expect(new Set(clicksOf(receiver).map(({ referrer }) => referrer)).size).toBe(3 * each)
    expect(new Set(clicksOf(receiver).map((one) => one.link.id))).toEqual(new Set(links.map(({ id }) => id.toString())))
    const first = receiver.of('link.clicked')[0]?.body.data.clicks[0]
    expect(first).toMatchObject({
      link: { code: expect.any(String), shortUrl: expect.any(String) },
      kind: 'person',
      utm: { source: '' },
    })
    expect(JSON.stringify(first)).not.toContain('visitor')
    for (const { text } of receiver.received) expect(text.length).toBeLessThan(1024 * 1024)
    await eventually(async () => expect(await connection.query('SELECT 1 FROM EventOutbox')).toEqual([]))
  })

  it('are told again as the same batch when that was not taken', async () => {
    const { receiver, ownerId } = await listening(['link.clicked'])
    const { id } = await makeLink(db, { ownerId })
    receiver.answer = () => (receiver.received.length === 1 ? 500 : 200)
    await applyBatches(db, [storedBatch([storedClick(id), storedClick(id)])])
    await eventually(() => expect(receiver.received).toHaveLength(2))
    const [first, second] = receiver.received
    expect([second?.id, second?.text]).toEqual([first?.id, first?.text])
    expect(clicksOf(receiver)).toHaveLength(2)
  })

  it('write nothing down for accounts whose webhooks do not want them, nor what was not counted', async () => {
    const { ownerId } = await listening(['link.created'])
    const { id } = await makeLink(db, { ownerId })
    await applyBatches(db, [storedBatch([storedClick(id)])])
    const listener = await listening(['link.clicked'])
    const gone = storedBatch([storedClick(nextId())])
    await applyBatches(db, [gone])
    const rows = await connection.query('SELECT 1 FROM EventOutbox WHERE ownerId IN (?, ?)', [ownerId, listener.ownerId])
    expect(rows).toEqual([])
  })
})

describe('a click limit', () => {
  it('is told once when it is reached, by whichever process took the last click', async () => {
    const { receiver, ownerId } = await listening(['link.limit_reached'])
    const { id } = await makeLink(db, { ownerId, maxClicks: 25 })
    const limits = [new ClickLimit(db), new ClickLimit(openGateway(url, 2))]
    const take = (n: number) => limits[n % 2]?.takeClick(id.toString())
    expect((await Promise.all(Array.from({ length: 24 }, (_, n) => take(n)))).every(Boolean)).toBe(true)
    expect(await connection.query('SELECT 1 FROM EventOutbox WHERE ownerId = ?', [ownerId])).toEqual([])
    const last = await Promise.all(Array.from({ length: 10 }, (_, n) => take(n)))
    expect(last.filter(Boolean)).toHaveLength(1)
    await eventually(() => expect(receiver.received).toHaveLength(1))
    expect(receiver.received[0]?.body).toMatchObject({
      type: 'link.limit_reached',
      data: { link: { id: id.toString(), maxClicks: 25, state: 'expired' } },
    })
  })
})

describe('an event', () => {
  it('is told all the same when the process died that had taken its webhook, under the same id', async () => {
    const { receiver, ownerId, id } = await listening(['link.created'])
    // Another process has it for a turn, in which it died.
    await connection.query('UPDATE Webhook SET leaseUntil = UTC_TIMESTAMP(3) + INTERVAL 2 SECOND WHERE id = ?', [id])
    await db.atomic((tx) => noteEvents(tx, [{ kind: 'link.created', ownerId, linkId: null, data: { link: {} } }]))
    await eventually(async () =>
      expect(await connection.query('SELECT 1 FROM WebhookDelivery WHERE webhookId = ?', [id])).toHaveLength(1),
    )
    await eventually(() => expect(receiver.received).toHaveLength(1))
    expect(ctx.config.FETCH_ALLOW).toEqual(['127.0.0.0/8'])
  })
})
