import { setTimeout as delay } from 'node:timers/promises'
import type { Transaction } from '@/lib/db/client'
import { retryTransaction } from '@/lib/db/errors'
import type { SqlTransaction } from '@/lib/db/sql'
import { sqlTime } from '@/lib/db/time'
import type { OutgoingEvent } from '@/lib/events/outbox'
import { OUTBOX_DELAY, type OutboxRow, outboxRow } from '@/lib/redirect/outbox'
import { publishReconciled } from '@/lib/redirect/publish-change'
import { type CachedRecord, changeOf, toRecord } from '@/lib/redirect/record'
import type { LinkContext } from './context'
import { tellLate } from './events'
import type { Found } from './find-codes'

/** What is known before a link is written. */
interface Before {
  /** Of `ctx.registry.lastChange`: read later, it would pass over what another wrote meanwhile. */
  number: number | null
  /** To be written with the link; null: the filter is sure to know the code already. */
  outbox: OutboxRow | null
}

/** What is written, and what the caches are told of it. */
interface Writing<T> {
  full: string
  /** Whether the code may be unknown so far, or unknown again. */
  isNew: boolean
  recordOf: (written: NonNullable<T>) => CachedRecord
  /** Within a transaction, and again where MySQL asks for it. @returns null when nothing was written */
  write: (tx: Transaction) => Promise<T>
}

/**
 * The one order in which a change of links stays true: what Redis knows is asked first; then the job's turn, the change and
 * its row in the outbox are one transaction; then all are told.
 * @throws TerseError 'unavailable'; what `write` throws
 */
export async function commit<T>(ctx: LinkContext, { full, isNew, recordOf, write }: Writing<T>, before?: Before): Promise<T> {
  const { number, outbox } = before ?? { outbox: outboxRow(full), number: await ctx.registry.lastChange(full) }
  const work = async (tx: Transaction) => {
    await ctx.requireTurn?.(tx)
    const written = await write(tx)
    if (written && outbox) await tx.outbox.createMany({ data: [outbox] })
    return written
  }
  const written = await ctx.db.atomic(work)
  if (written) await (isNew ? announceNew : announce)(ctx, full, recordOf(written), number, outbox?.id ?? null)
  return written
}

/**
 * Makes a committed change known to Redis and every process. When Redis does not take it, the change is
 * left in the outbox (`outboxId` says that its row was written with the change), which all processes read.
 * @param number of `ctx.registry.lastChange`, before the change was written
 * @returns true when Redis has it
 * @throws TerseError 'unavailable' when neither Redis nor MySQL took it
 */
export async function announce(
  ctx: LinkContext,
  full: string,
  record: CachedRecord,
  number: number | null,
  outboxId: bigint | null,
): Promise<boolean> {
  ctx.lookup.invalidate(full)
  try {
    await publishReconciled(ctx.registry, ctx.db, changeOf(full, record), number)
  } catch (error) {
    ctx.log.warn({ err: error }, 'a change waits in the outbox for Redis')
    if (outboxId === null) await ctx.db.write((client) => client.outbox.createMany({ data: [outboxRow(full)] }))
    return false
  }
  if (outboxId !== null) {
    // Left behind, the row is only replayed once more.
    await ctx.db.write((client) => client.outbox.deleteMany({ where: { id: outboxId } })).catch(() => {})
  }
  return true
}

/** A change that was written with its row in the outbox. */
export interface Written {
  full: string
  record: CachedRecord
  /** As for `announce`. */
  number: number | null
  outboxId: bigint
}

/**
 * As `announce`, for many changes at once.
 * @returns true when Redis has all of them
 */
export async function announceAll(ctx: LinkContext, changes: readonly Written[]): Promise<boolean> {
  const taken = await Promise.all(
    changes.map(async ({ full, record, number, outboxId }) => {
      ctx.lookup.invalidate(full)
      try {
        await publishReconciled(ctx.registry, ctx.db, changeOf(full, record), number)
        return outboxId
      } catch (error) {
        ctx.log.warn({ err: error }, 'a change waits in the outbox for Redis')
        return null
      }
    }),
  )
  const ids = taken.filter((id) => id !== null)
  await dropOutbox(ctx, ids)
  return ids.length === changes.length
}

/** Takes out what Redis has. Left behind, a row is only replayed once more. */
async function dropOutbox(ctx: LinkContext, ids: readonly bigint[]): Promise<void> {
  if (ids.length > 0) await ctx.db.change('DELETE FROM Outbox WHERE id IN (?)', ids).catch(() => {})
}

/** As `announce`, for a new code: waits until no process can still deny it. */
export async function announceNew(
  ctx: LinkContext,
  full: string,
  record: CachedRecord,
  number: number | null,
  outboxId: bigint | null,
): Promise<void> {
  if (!(await announce(ctx, full, record, number, outboxId))) await delay(OUTBOX_DELAY)
}

/** A link that is edited beside new ones, and what the caches are told of it. */
export interface Edited extends Omit<Written, 'outboxId'> {
  outbox: OutboxRow
  /** What its owner's webhooks are told, where nobody seemed to listen. */
  untold: OutgoingEvent[]
}

/**
 * As `commit`, for many new links at once, in plain SQL.
 * @param write inserts them; called again where MySQL asks for it. @returns the links that it edited beside
 */
export async function commitMany(
  ctx: LinkContext,
  links: readonly Found[],
  write: (tx: SqlTransaction) => Promise<readonly Edited[]>,
): Promise<void> {
  const outbox = links.flatMap(({ outbox }) => (outbox ? [outbox] : []))
  const work = async (tx: SqlTransaction) => {
    await ctx.requireTurn?.({ $queryRawUnsafe: (sql, ...values) => tx.rows(sql, values) })
    const edited = await write(tx)
    await insertOutbox(tx, [...outbox, ...edited.map((one) => one.outbox)])
    return edited
  }
  const edited = await retryTransaction(() => ctx.db.transaction(work))
  if (links.length > 0) await announceMany(ctx, links)
  await announceEdited(ctx, edited)
}

export async function insertOutbox(tx: SqlTransaction, rows: readonly OutboxRow[]): Promise<void> {
  const written = rows.map((row) => ({ ...row, createdAt: sqlTime(row.createdAt.getTime()) }))
  await tx.insert('Outbox', ['id', 'fullShortUrl', 'createdAt'], written)
}

/** Tells all of committed edits. What Redis does not take stays in the outbox. */
export async function announceEdited(ctx: LinkContext, edited: readonly Edited[]): Promise<void> {
  await announceAll(
    ctx,
    edited.map(({ outbox, untold: _, ...written }) => ({ ...written, outboxId: outbox.id })),
  )
  const untold = edited.flatMap((one) => one.untold)
  const owners = new Set(untold.map(({ ownerId }) => ownerId))
  await tellLate(ctx, 'link.changed', owners, (listening) => untold.filter(({ ownerId }) => listening.has(ownerId)))
}

/**
 * As `announceNew`. Records of codes that were claimed are left to the first who asks; what was published of them since their
 * insertion stays.
 */
async function announceMany(ctx: LinkContext, links: readonly Found[]): Promise<void> {
  for (const { link } of links) ctx.lookup.invalidate(link.fullShortUrl)
  const unclaimed = links.filter(({ outbox }) => outbox !== null)
  const ids = unclaimed.flatMap(({ outbox }) => (outbox ? [outbox.id] : []))
  try {
    await ctx.registry.announceMany(links.map(({ link }) => ({ full: link.fullShortUrl, version: link.version })))
    await Promise.all(
      unclaimed.map(({ link }) => publishReconciled(ctx.registry, ctx.db, changeOf(link.fullShortUrl, toRecord(link)), null)),
    )
  } catch (error) {
    ctx.log.warn({ err: error, codes: links.length }, 'new codes wait in the outbox for Redis')
    const data = links.filter(({ outbox }) => outbox === null).map(({ link }) => outboxRow(link.fullShortUrl))
    await ctx.db.write((client) => client.outbox.createMany({ data }))
    return delay(OUTBOX_DELAY)
  }
  await dropOutbox(ctx, ids)
}
