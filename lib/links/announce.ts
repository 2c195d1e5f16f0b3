import { setTimeout as delay } from 'node:timers/promises'
import type { NewCode } from '@/lib/codes/registry'
import { OUTBOX_DELAY, outboxRow } from '@/lib/redirect/outbox'
import { publishReconciled } from '@/lib/redirect/reconcile'
import { type CachedRecord, changeOf } from '@/lib/redirect/record'
import type { LinkContext } from './context'

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

/**
 * As `announceNew`, for many codes claimed and inserted just now. Their records are left to the first who
 * asks; what was published of them since their insertion stays.
 */
export async function announceMany(ctx: LinkContext, codes: readonly NewCode[]): Promise<void> {
  const fulls = codes.map(({ full }) => full)
  for (const full of fulls) ctx.lookup.invalidate(full)
  try {
    await ctx.registry.announceMany(codes)
  } catch (error) {
    ctx.log.warn({ err: error, codes: fulls.length }, 'new codes wait in the outbox for Redis')
    await ctx.db.write((client) => client.outbox.createMany({ data: fulls.map(outboxRow) }))
    await delay(OUTBOX_DELAY)
  }
}
