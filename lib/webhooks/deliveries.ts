import { gunzipSync, gzipSync } from 'node:zlib'
import type { Transaction } from '@/lib/db/client'
import type { WebhookDelivery } from '@/lib/db/generated/client'
import { databaseTime } from '@/lib/db/time'
import { TerseError } from '@/lib/errors'
import { eventNumber, kindOf, TEST_EVENT } from '@/lib/events/kinds'
import { say } from '@/lib/i18n/message'
import type { Limits } from '@/lib/net/limits'
import { pageOf, parseCursor } from '@/lib/tools/cursor'
import { madeAt, timedId } from '@/lib/tools/timed-id'
import { bodyText } from './bodies'
import { EVENTS_KEPT, TRIED_FOR } from './schedule'
import type { DeliveriesQuery, DeliveryPage, DeliveryView } from './schemas'
import { DELIVERY_STATES, type DeliveryFailure, stateNumber } from './values'
import { findWebhook, type WebhookContext } from './webhooks'

/** The id of an event as text. */
const EVENT_ID = /^([0-9a-f]{32})$/

type Context = Pick<WebhookContext, 'db'>
/** What is sent because someone asks for it. */
type SendContext = Context & { limits: Pick<Limits, 'consume'> }

/** What a webhook was told, newest first. @throws TerseError 'not_found', 'bad_request' (cursor), 'unavailable' */
export async function listDeliveries(ctx: Context, ownerId: string, id: string, query: DeliveriesQuery): Promise<DeliveryPage> {
  const { limit, cursor } = query
  const { id: webhookId } = await findWebhook(ctx, ownerId, id)
  const after = cursor === undefined ? undefined : Buffer.from(parseCursor(cursor, EVENT_ID)[0] ?? '', 'hex')
  const rows = await ctx.db.rows<WebhookDelivery>(
    `SELECT * FROM WebhookDelivery WHERE webhookId = ? ${after ? 'AND eventId < ?' : ''} ORDER BY eventId DESC LIMIT ?`,
    ...[webhookId, ...(after ? [after] : []), limit + 1],
  )
  const { page, nextCursor } = pageOf(rows, limit, ({ eventId }) => hex(eventId))
  return { deliveries: page.map(toView), nextCursor }
}

/** One of them, with what was sent. @throws TerseError 'not_found', 'unavailable' */
export async function getDelivery(ctx: Context, ownerId: string, id: string, eventId: string): Promise<DeliveryView> {
  const row = await findDelivery(ctx, ownerId, id, eventId)
  return { ...toView(row), body: (await bodyOf(ctx, row.eventId)) ?? '' }
}

/**
 * Sends an event once more, at once and then as any other: under the same `webhook-id`.
 * @throws TerseError 'not_found', also for what is older than events are kept: it would stay for good, sent again each day;
 *   'conflict' for a webhook that is off, 'rate_limited', since it does not wait where the webhook fails, 'unavailable'
 */
export async function resendDelivery(ctx: SendContext, ownerId: string, id: string, eventId: string): Promise<DeliveryView> {
  const webhook = await findWebhook(ctx, ownerId, id)
  const row = await findDelivery(ctx, ownerId, id, eventId)
  const where = { webhookId: webhook.id, eventId: row.eventId }
  if (madeAt(hex(row.eventId)) < Date.now() - EVENTS_KEPT) throw noDelivery()
  await ctx.limits.consume('webhookSends', ownerId)
  const sent = await ctx.db.atomic(async (tx) => {
    const data = { attempts: 0, ...(await dueNow(tx, webhook.id)) }
    await tx.webhookDelivery.updateMany({ where, data })
    return tx.webhookDelivery.findFirst({ where })
  })
  if (!sent) throw noDelivery()
  return toView(sent)
}

/** Sends a webhook an event that says nothing but that it arrives. @throws TerseError as `resendDelivery` */
export async function testWebhook(ctx: SendContext, ownerId: string, id: string): Promise<DeliveryView> {
  const { id: webhookId, url } = await findWebhook(ctx, ownerId, id)
  await ctx.limits.consume('webhookSends', ownerId)
  const kind = eventNumber(TEST_EVENT)
  const sent = await ctx.db.atomic(async (tx) => {
    const due = await dueNow(tx, webhookId)
    const eventId = Buffer.from(timedId(due.nextAt.getTime()), 'hex')
    const body = gzipSync(bodyText(TEST_EVENT, due.nextAt, { webhook: { id, url } }))
    await tx.webhookEvent.create({ data: { id: eventId, kind, body } })
    return tx.webhookDelivery.create({ data: { webhookId, eventId, kind, ...due } })
  })
  return toView(sent)
}

/** Makes a webhook due at once. @returns what a delivery of it then has. @throws TerseError 'conflict' for one that is off */
async function dueNow(tx: Transaction, webhookId: bigint): Promise<{ state: number; nextAt: Date; giveUpAt: Date }> {
  const [locked] = await tx.$queryRaw<{ enabled: number }[]>`SELECT enabled FROM Webhook WHERE id = ${webhookId} FOR UPDATE`
  if (!locked || Number(locked.enabled) === 0) throw new TerseError('conflict', say('api.webhook.off'))
  const nextAt = await databaseTime(tx)
  await tx.webhook.updateMany({ where: { id: webhookId }, data: { dueAt: nextAt } })
  return { state: stateNumber('waiting'), nextAt, giveUpAt: new Date(nextAt.getTime() + TRIED_FOR) }
}

async function findDelivery(ctx: Context, ownerId: string, id: string, eventId: string): Promise<WebhookDelivery> {
  const { id: webhookId } = await findWebhook(ctx, ownerId, id)
  const where = { webhookId, eventId: Buffer.from(EVENT_ID.test(eventId) ? eventId : '', 'hex') }
  const row = await ctx.db.read((client) => client.webhookDelivery.findFirst({ where }))
  if (!row) throw noDelivery()
  return row
}

/** What is sent for an event; null when it is no longer known. */
export async function bodyOf({ db }: Context, eventId: Uint8Array): Promise<string | null> {
  const id = Buffer.from(eventId)
  const row = await db.read((client) => client.webhookEvent.findUnique({ where: { id } }))
  return row && gunzipSync(row.body).toString('utf8')
}

const noDelivery = () => new TerseError('not_found', say('api.webhook.noDelivery'))

export const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

function toView(row: WebhookDelivery): DeliveryView {
  const id = hex(row.eventId)
  return {
    id,
    event: kindOf(row.kind) ?? 'link.changed',
    state: DELIVERY_STATES[row.state] ?? 'waiting',
    attempts: row.attempts,
    createdAt: new Date(madeAt(id)).toISOString(),
    triedAt: row.triedAt?.toISOString() ?? null,
    nextAt: row.nextAt?.toISOString() ?? null,
    took: row.took,
    status: row.status,
    failure: row.failure === '' ? null : (row.failure as DeliveryFailure),
    answer: row.answer,
  }
}
