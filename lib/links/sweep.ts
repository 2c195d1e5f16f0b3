import type { LinkContext } from './context'
import { IDEMPOTENCY_LIFETIME } from './idempotency'

const INTERVAL = 15 * 60_000
const BATCH = 1_000
/** A deletion can be undone for at least this long, even when its code may be used again at once. */
const UNDO_TIME = 24 * 3_600_000

/** Deletes what has had its time, in small pieces that never lock a table for long. */
export class Sweeper {
  private timer: NodeJS.Timeout | undefined

  constructor(private readonly ctx: LinkContext) {}

  async start(): Promise<void> {
    this.timer = setInterval(() => void this.sweep(), INTERVAL)
    this.timer.unref()
  }

  async sweep(now = Date.now()): Promise<void> {
    const { db, log, config } = this.ctx
    try {
      const oldKeys = new Date(now - IDEMPOTENCY_LIFETIME)
      await this.repeat(() => db.client.idempotencyKey.deleteMany({ where: { createdAt: { lt: oldKeys } }, limit: BATCH }))
      if (!Number.isFinite(config.CODE_REUSE_AFTER)) return
      const freed = new Date(now - Math.max(config.CODE_REUSE_AFTER, UNDO_TIME))
      await this.repeat(() => db.client.deletedLink.deleteMany({ where: { deletedAt: { lt: freed } }, limit: BATCH }))
    } catch (error) {
      log.warn({ err: error }, 'clean-up broken off; it goes on next time')
    }
  }

  private async repeat(deleteSome: () => Promise<{ count: number }>): Promise<void> {
    while ((await deleteSome()).count === BATCH);
  }

  close(): void {
    clearInterval(this.timer)
  }
}
