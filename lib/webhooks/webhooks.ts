import { setTimeout as delay } from 'node:timers/promises'
import type { Account } from '@/lib/actor'
import type { Config } from '@/lib/config'
import type { Transaction } from '@/lib/db/client'
import type { DatabaseGateway } from '@/lib/db/gateway'
import type { Webhook } from '@/lib/db/generated/client'
import { nextId } from '@/lib/db/id'
import { databaseTime } from '@/lib/db/time'
import { invalidField, TerseError } from '@/lib/errors'
import { ADMIN_EVENTS, type EventKind, eventBits, kindsIn } from '@/lib/events/kinds'
import { LISTENERS_DELAY } from '@/lib/events/listeners'
import { say } from '@/lib/i18n/message'
import { failureOf, type Outbound } from '@/lib/net/outbound'
import type { CreateWebhook, UpdateWebhook, WebhookView } from './schemas'
import { shownSecret } from './signature'
import { type DeliveryFailure, MOST_WEBHOOKS, stateNumber } from './values'

export interface WebhookContext {
  config: Pick<Config, 'APP_SECRET'>
  db: DatabaseGateway
  outbound: Outbound
}

type Owner = Pick<Account, 'id' | 'role'>

/** How long looking up a host may take, in ms. */
const PATIENCE = 4_000

/** An account's webhooks, oldest first. @throws TerseError 'unavailable' */
export async function listWebhooks({ db }: Pick<WebhookContext, 'db'>, ownerId: string): Promise<WebhookView[]> {
  const rows = await db.read((client) => client.webhook.findMany({ where: { ownerId }, orderBy: { id: 'asc' } }))
  return rows.map(toView)
}

/**
 * Creates a webhook, and answers once no process misses an event for it.
 * @returns it with its secret, which is shown this once
 * @throws TerseError 'validation_failed' for an address that must not be reached, 'conflict' when there are too many,
 *   'unavailable'
 */
export async function createWebhook(ctx: WebhookContext, owner: Owner, { url, events }: CreateWebhook): Promise<WebhookView> {
  requireAllowed(owner, events)
  await requireReachable(ctx, url)
  const row = await ctx.db.atomicOf(owner.id, async (tx) => {
    if ((await tx.webhook.count({ where: { ownerId: owner.id } })) >= MOST_WEBHOOKS) {
      throw new TerseError('conflict', say('api.webhook.tooMany', { most: MOST_WEBHOOKS }))
    }
    const data = { id: nextId(), ownerId: owner.id, url, events: eventBits(events), createdAt: await databaseTime(tx) }
    return tx.webhook.create({ data })
  })
  await delay(LISTENERS_DELAY)
  return { ...toView(row), secret: shownSecret(ctx.config.APP_SECRET, row) }
}

/** @throws TerseError as `createWebhook`; 'not_found' */
export async function updateWebhook(ctx: WebhookContext, owner: Owner, id: string, input: UpdateWebhook): Promise<WebhookView> {
  const { url, events, enabled } = input
  if (events) requireAllowed(owner, events)
  const before = await findWebhook(ctx, owner.id, id)
  if (url !== undefined && url !== before.url) await requireReachable(ctx, url)
  const row = await ctx.db.atomic(async (tx) => {
    await lock(tx, before.id)
    const data = {
      ...(url === undefined ? {} : { url }),
      ...(events === undefined ? {} : { events: eventBits(events) }),
      ...(enabled === undefined ? {} : { enabled }),
      // A new address, or another try: what failed before counts no longer.
      ...(enabled || (url !== undefined && url !== before.url) ? { failingSince: null, failures: 0, turnedOffAt: null } : {}),
    }
    await tx.webhook.updateMany({ where: { id: before.id }, data })
    if (enabled === false) await giveUpWaiting(tx, before.id)
    return tx.webhook.findUniqueOrThrow({ where: { id: before.id } })
  })
  if (events || enabled) await delay(LISTENERS_DELAY)
  return toView(row)
}

/** Deletes a webhook and its log, at once. @throws TerseError 'not_found', 'unavailable' */
export async function deleteWebhook(ctx: WebhookContext, ownerId: string, id: string): Promise<void> {
  const webhook = await findWebhook(ctx, ownerId, id)
  // What was sent to it goes with the next sweep (./sweep.ts).
  await ctx.db.write((client) => client.webhook.deleteMany({ where: { id: webhook.id } }))
}

/**
 * Gives a webhook another secret. The former one signs beside it for a day, in which its owner can change it.
 * @returns it with the new secret, which is shown this once
 * @throws TerseError 'not_found', 'unavailable'
 */
export async function rollSecret(ctx: WebhookContext, ownerId: string, id: string): Promise<WebhookView> {
  const { id: webhookId } = await findWebhook(ctx, ownerId, id)
  const row = await ctx.db.atomic(async (tx) => {
    await lock(tx, webhookId)
    const rolledAt = await databaseTime(tx)
    await tx.webhook.updateMany({ where: { id: webhookId }, data: { roll: { increment: 1 }, rolledAt } })
    return tx.webhook.findUniqueOrThrow({ where: { id: webhookId } })
  })
  return { ...toView(row), secret: shownSecret(ctx.config.APP_SECRET, row) }
}

/** An account's webhook by its id as text; whether others have one is nobody's business. @throws TerseError 'not_found' */
export async function findWebhook({ db }: Pick<WebhookContext, 'db'>, ownerId: string, id: string): Promise<Webhook> {
  const row = /^\d{1,18}$/.test(id)
    ? await db.read((client) => client.webhook.findFirst({ where: { id: BigInt(id), ownerId } }))
    : null
  if (!row) throw new TerseError('not_found', say('api.webhook.none'))
  return row
}

/** What still waits for a webhook that is off, or whose owner is banned, will not be sent. */
export async function giveUpWaiting(
  tx: Pick<Transaction, '$executeRaw'>,
  webhookId: bigint,
  failure: DeliveryFailure = 'turnedOff',
): Promise<void> {
  const [waiting, failed] = [stateNumber('waiting'), stateNumber('failed')]
  await tx.$executeRaw`
    UPDATE WebhookDelivery SET state = ${failed}, nextAt = NULL, failure = ${failure}
     WHERE webhookId = ${webhookId} AND state = ${waiting}`
  await tx.$executeRaw`UPDATE Webhook SET dueAt = NULL WHERE id = ${webhookId}`
}

const lock = (tx: Transaction, id: bigint) => tx.$queryRaw`SELECT id FROM Webhook WHERE id = ${id} FOR UPDATE`

function requireAllowed({ role }: Owner, events: readonly EventKind[]): void {
  if (role !== 'admin' && events.some((kind) => ADMIN_EVENTS.includes(kind))) {
    throw invalidField('events', say('api.webhook.adminEvent'))
  }
}

/** Says at once what every delivery would be refused for. It is asked again then: names change. */
async function requireReachable({ outbound }: WebhookContext, url: string): Promise<void> {
  try {
    await outbound.probe(new URL(url), 'open', PATIENCE)
  } catch (error) {
    const failure = failureOf(error)
    if (failure === 'private' || failure === 'port' || failure === 'name') {
      throw invalidField('url', say(`api.webhook.address.${failure}`))
    }
    // The DNS does not answer now: that is for the deliveries to find out.
  }
}

function toView(row: Webhook): WebhookView {
  return {
    id: row.id.toString(),
    url: row.url,
    events: kindsIn(row.events),
    enabled: row.enabled,
    failingSince: row.failingSince?.toISOString() ?? null,
    turnedOffAt: row.turnedOffAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  }
}
