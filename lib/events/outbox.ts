import type { Transaction } from '@/lib/db/client'
import type { SqlTransaction } from '@/lib/db/sql'
import { sqlTime } from '@/lib/db/time'
import { timedId } from '@/lib/tools/timed-id'
import { type EventKind, eventNumber } from './kinds'

/** Of whom an event is told that is for all admins. */
export const ADMINS = ''

/** Something that happened to what an account has. */
export interface OutgoingEvent {
  kind: EventKind
  /** Whose webhooks are told. */
  ownerId: string
  linkId: bigint | null
  /** What is told besides, as JSON has it; null: what there is to say is read when it is told (lib/webhooks/dispatch.ts). */
  data: unknown
  /** How many of it there are: clicks. */
  size?: number
}

/** A row for the outbox, to be written in the transaction of the change itself: neither is there without the other. */
const rowOf = ({ kind, ownerId, linkId, data, size = 1 }: OutgoingEvent, now: number) => ({
  id: Buffer.from(timedId(now), 'hex'),
  ownerId,
  kind: eventNumber(kind),
  linkId,
  data: JSON.stringify(data),
  size,
})

const COLUMNS = ['id', 'ownerId', 'kind', 'linkId', 'data', 'size', 'createdAt'] as const

/** Writes events by Prisma. */
export async function noteEvents(tx: Transaction, events: readonly OutgoingEvent[], now = Date.now()): Promise<void> {
  if (events.length === 0) return
  await tx.eventOutbox.createMany({ data: events.map((event) => ({ ...rowOf(event, now), createdAt: new Date(now) })) })
}

/** The same in plain SQL, as many transactions are. */
export async function noteEventsIn(tx: SqlTransaction, events: readonly OutgoingEvent[], now = Date.now()): Promise<void> {
  const createdAt = sqlTime(now)
  await tx.insert(
    'EventOutbox',
    COLUMNS,
    events.map((event) => ({ ...rowOf(event, now), createdAt })),
  )
}
