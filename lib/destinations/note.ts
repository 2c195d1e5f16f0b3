import type { Logger } from 'pino'
import { retryTransaction } from '@/lib/db/errors'
import type { DatabaseGateway } from '@/lib/db/gateway'
import type { Link } from '@/lib/db/generated/client'
import type { SqlTransaction } from '@/lib/db/sql'
import { sqlTime } from '@/lib/db/time'
import type { Listeners } from '@/lib/events/listeners'
import { noteEventsIn, type OutgoingEvent } from '@/lib/events/outbox'
import { isHeard, tellLate } from '@/lib/links/events'
import { type HealthReason, type HealthState, healthStateOf } from '@/lib/links/health'
import { healthHash } from '@/lib/links/health-hash'
import type { HealthView } from '@/lib/links/health-schema'
import { afterCheck } from './judge'
import type { Found } from './targets'

/** What is known of a link, as LinkHealth has it. */
export interface HealthRow {
  linkId: bigint
  urlHash: Uint8Array
  destination: string | null
  state: number
  reason: string
  status: number | null
  failures: number
  since: Date
  checkedAt: Date
}

type NotedLink = Pick<Link, 'id' | 'url' | 'routing' | 'expiredUrl'>

const ROWS =
  'SELECT linkId, urlHash, destination, state, reason, status, failures, since, checkedAt FROM LinkHealth WHERE linkId IN'

/** What is known of some links, by their ids. @throws TerseError 'unavailable' */
export async function knownHealth(db: Pick<DatabaseGateway, 'rows'>, ids: readonly bigint[]): Promise<Map<bigint, HealthRow>> {
  if (ids.length === 0) return new Map()
  const rows = await db.rows<HealthRow>(`${ROWS} (?)`, ids)
  return new Map(rows.map((row) => [row.linkId, row]))
}

/** The destination with which something was wrong; undefined: with none of those that the link has now. */
export const wrongBefore = (link: NotedLink, row: HealthRow | undefined): string | undefined =>
  row && isOf(link, row) ? (row.destination ?? link.url) : undefined

const isOf = (link: NotedLink, { urlHash }: HealthRow) => Buffer.compare(urlHash, healthHash(link)) === 0

/**
 * Writes down what a check found of a link, and tells webhooks where that is news.
 * @throws TerseError 'unavailable'
 */
export async function noteHealth(
  ctx: { db: DatabaseGateway; listeners: Listeners; log: Logger },
  ownerId: string,
  link: NotedLink,
  { destination, finding }: Found,
  now = Date.now(),
): Promise<void> {
  const { db } = ctx
  // Nearly all links are well, and were.
  if (finding.is !== 'wrong' && !(await knownHealth(db, [link.id])).has(link.id)) return
  const isTold = await isHeard(ctx, 'link.health_changed', ownerId)
  const work = async (tx: SqlTransaction) => {
    const [row] = await tx.rows<HealthRow>(`${ROWS} (?) FOR UPDATE`, [link.id])
    const wasWrong = wrongBefore(link, row)
    // Of other destinations nothing is known, and what is wrong with another one is not what was.
    const before = row && wasWrong !== undefined && (finding.is !== 'wrong' || wasWrong === destination) ? row : null
    const after = afterCheck(before && { ...before, since: before.since.getTime() }, finding, now)
    const said = healthStateOf(after?.state ?? 0)
    if (after) await write(tx, ownerId, link, { ...after, destination, now, isSame: before?.state === after.state })
    else if (row) await tx.run('DELETE FROM LinkHealth WHERE linkId = ?', [link.id])
    if (said === healthStateOf(row?.state ?? 0)) return null
    const health = after && said ? viewOf(after, said, destination, now) : null
    const event: OutgoingEvent = { kind: 'link.health_changed', ownerId, linkId: link.id, data: { health } }
    if (isTold) await noteEventsIn(tx, [event], now)
    return event
  }
  const event = await retryTransaction(() => db.transaction(work))
  if (event && !isTold) await tellLate(ctx, event.kind, [ownerId], () => [event])
}

const viewOf = (
  { reason, status, since }: NonNullable<ReturnType<typeof afterCheck>>,
  state: HealthState,
  destination: string,
  now: number,
): HealthView => ({
  ...{ state, reason: reason as HealthReason, status, destination },
  ...{ since: new Date(since).toISOString(), checkedAt: new Date(now).toISOString() },
})

interface Written {
  state: number
  reason: string
  status: number | null
  failures: number
  since: number
  dueAt: number
  destination: string
  now: number
  /** It was in this state before: whoever was told knows. */
  isSame: boolean
}

async function write(tx: SqlTransaction, ownerId: string, link: NotedLink, of: Written): Promise<void> {
  const { state, reason, status, failures, since, dueAt, destination, now, isSame } = of
  await tx.run(
    `INSERT INTO LinkHealth (linkId, ownerId, urlHash, destination, state, reason, status, failures, since, checkedAt, dueAt)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON DUPLICATE KEY UPDATE ownerId = VALUES(ownerId), urlHash = VALUES(urlHash), destination = VALUES(destination),
       state = VALUES(state), reason = VALUES(reason), status = VALUES(status), failures = VALUES(failures), since = VALUES(since),
       checkedAt = VALUES(checkedAt), dueAt = VALUES(dueAt), isTold = ${isSame ? 'isTold' : 'FALSE'}`,
    [
      ...[link.id, ownerId, healthHash(link), destination === link.url ? null : destination, state, reason, status, failures],
      ...[since, now, dueAt].map(sqlTime),
    ],
  )
}
