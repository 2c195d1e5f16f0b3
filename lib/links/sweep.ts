import { moveOldClicks } from '@/lib/clicks/old-clicks'
import { purgeClicks, sweepOldClicks } from '@/lib/clicks/sweep'
import { retryTransaction } from '@/lib/db/errors'
import { Prisma } from '@/lib/db/generated/client'
import { deleteInPieces, PIECE } from '@/lib/db/pieces'
import { sqlTime } from '@/lib/db/time'
import { sweepJobs } from '@/lib/jobs/sweep'
import { Loop } from '@/lib/tools/loop'
import { HOUR, MINUTE } from '@/lib/tools/time'
import type { LinkContext } from './context'
import { IDEMPOTENCY_LIFETIME } from './idempotency'
import { sweepSpoken } from './spoken-sweep'

const INTERVAL = 15 * MINUTE
const JITTER = 0.2
/**
 * A deletion can be undone for at least this long, even when its code may be used again at once. Longer than Redis keeps a
 * record: of a Redis that was restored from an old copy, MySQL must still know which of its links were deleted since.
 */
const UNDO_TIME = 28 * HOUR

/** Deletes what has had its time, in small pieces that never lock a table for long. */
export class Sweeper {
  private readonly loop = new Loop({
    every: INTERVAL,
    jitter: JITTER,
    run: () => this.sweep(),
    onFailure: (err) => this.ctx.log.warn({ err }, 'clean-up broken off; it goes on next time'),
  })

  constructor(private readonly ctx: LinkContext) {}

  async start(): Promise<void> {
    this.loop.startLater()
  }

  /** @throws when MySQL or Redis fails: the rest is for the next time */
  async sweep(now = Date.now()): Promise<void> {
    const { db, config } = this.ctx
    await deleteInPieces(db, 'IdempotencyKey WHERE createdAt < ? ORDER BY createdAt', sqlTime(now - IDEMPOTENCY_LIFETIME))
    await moveOldClicks(db)
    await sweepOldClicks(db, now, config.CLICK_RETENTION_DAYS)
    await purgeClicks(db)
    await sweepSpoken(this.ctx, now)
    await sweepJobs(db, now)
    if (!Number.isFinite(config.CODE_REUSE_AFTER)) return
    const freed = now - Math.max(config.CODE_REUSE_AFTER, UNDO_TIME)
    // While the old shortener of a domain is asked for what is not here, what was deleted here has to be known (0054).
    const asked = await db.rows<{ id: number }>('SELECT id FROM Domain WHERE upstreamUrl IS NOT NULL')
    await this.repeat(() =>
      this.forget(
        freed,
        asked.map(({ id }) => id),
      ),
    )
  }

  /** Gives up some links for good; the clicks of each follow in the next round. */
  private forget(deletedBefore: number, except: readonly number[]): Promise<{ count: number }> {
    return retryTransaction(() =>
      this.ctx.db.client.$transaction(async (tx) => {
        // Locked, so that none of them is restored between being chosen and being deleted.
        const links = await tx.$queryRaw<{ id: bigint }[]>`
          SELECT id FROM DeletedLink WHERE deletedAt < ${sqlTime(deletedBefore)} AND domainId NOT IN (${Prisma.join([0, ...except])}) ORDER BY deletedAt LIMIT ${PIECE} FOR UPDATE SKIP LOCKED`
        const ids = links.map(({ id }) => id)
        await tx.clickPurge.createMany({ data: ids.map((linkId) => ({ linkId })), skipDuplicates: true })
        return tx.deletedLink.deleteMany({ where: { id: { in: ids } } })
      }),
    )
  }

  private async repeat(deleteSome: () => Promise<{ count: number }>): Promise<void> {
    while ((await deleteSome()).count === PIECE);
  }

  close(): void {
    void this.loop.stop()
  }
}
