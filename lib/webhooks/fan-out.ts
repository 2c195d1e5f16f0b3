import { gzipSync } from 'node:zlib'
import { BANNED } from '@/lib/actor'
import { marks } from '@/lib/db/literal'
import { pieces } from '@/lib/db/pieces'
import type { SqlTransaction } from '@/lib/db/sql'
import { NOW } from '@/lib/db/time'
import { type EventKind, eventBits, eventNumber } from '@/lib/events/kinds'
import { ADMINS } from '@/lib/events/outbox'
import { TRIED_FOR } from './schedule'
import { stateNumber } from './values'

/** An event as it will be sent. */
export interface ToldEvent {
  /** 32 hex digits: its `webhook-id`, the same with every webhook and attempt. */
  id: string
  kind: EventKind
  ownerId: string
  body: string
}

/** Rows of one statement, whose bodies may be large. */
const ROWS = 50

/** Writes down which webhook is told which event, and that it is due. To be called where the events leave the outbox. */
export async function fanOut(tx: SqlTransaction, events: readonly ToldEvent[]): Promise<void> {
  const listening = await webhooksOf(
    tx,
    events.map(({ ownerId }) => ownerId),
  )
  const told = events.flatMap((event) => {
    const webhooks = (listening.get(event.ownerId) ?? []).filter(({ events: bits }) => bits & eventBits([event.kind]))
    return webhooks.length === 0 ? [] : [{ event, webhooks }]
  })
  for (const some of pieces(told, ROWS)) await insertSome(tx, some)
  await callFor(
    tx,
    told.flatMap(({ webhooks }) => webhooks.map(({ id }) => id)),
  )
}

interface Listening {
  id: bigint
  ownerId: string
  events: number
}

/** The webhooks of some accounts that are on, by account; under `ADMINS` those of all admins. */
async function webhooksOf(tx: SqlTransaction, ownerIds: readonly string[]): Promise<Map<string, Listening[]>> {
  const byOwner = new Map<string, Listening[]>()
  const owners = [...new Set(ownerIds)].filter((id) => id !== ADMINS)
  const from = `SELECT Webhook.id, Webhook.ownerId, Webhook.events FROM Webhook JOIN User ON User.id = Webhook.ownerId
     WHERE Webhook.enabled = TRUE AND NOT ${BANNED} AND`
  const rows = owners.length === 0 ? [] : await tx.rows<Listening>(`${from} Webhook.ownerId IN (${marks(owners)})`, owners)
  for (const row of rows) byOwner.set(row.ownerId, [...(byOwner.get(row.ownerId) ?? []), row])
  // Few people are admins, and what they alone are told is rare.
  if (ownerIds.includes(ADMINS)) byOwner.set(ADMINS, await tx.rows<Listening>(`${from} User.role = 'admin'`, []))
  return byOwner
}

async function insertSome(tx: SqlTransaction, told: { event: ToldEvent; webhooks: Listening[] }[]): Promise<void> {
  await tx.insert(
    'WebhookEvent',
    ['id', 'kind', 'body'],
    told.map(({ event: { id, kind, body } }) => ({ id: { hex: id }, kind: eventNumber(kind), body: gzipSync(body) })),
  )
  const rows = told.flatMap(({ event, webhooks }) => webhooks.map(({ id }) => [id, event.id, eventNumber(event.kind)] as const))
  const values = rows.map(
    ([webhookId, eventId, kind]) =>
      `(${webhookId},x'${eventId}',${kind},${stateNumber('waiting')},${NOW},${NOW} + INTERVAL ${TRIED_FOR / 1000} SECOND)`,
  )
  await tx.run(`INSERT INTO WebhookDelivery (webhookId,eventId,kind,state,nextAt,giveUpAt) VALUES ${values.join()}`, [])
}

/**
 * Makes webhooks due. Last of all: who ends a turn at this moment looks for what waits, and either finds this or is overwritten
 * by it. One that fails is due when it was, so that not each event asks it once more.
 */
async function callFor(tx: SqlTransaction, webhookIds: readonly bigint[]): Promise<void> {
  const ids = [...new Set(webhookIds)].sort((a, b) => (a < b ? -1 : 1))
  for (const some of pieces(ids, ROWS)) {
    await tx.run(
      `UPDATE Webhook SET dueAt = CASE WHEN failures > 0 AND dueAt IS NOT NULL THEN dueAt
          ELSE LEAST(COALESCE(dueAt, ${NOW}), ${NOW}) END WHERE id IN (${marks(some)})`,
      some,
    )
  }
}
