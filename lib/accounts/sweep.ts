import { deleteInPieces, PIECE } from '@/lib/db/pieces'
import { sqlTime } from '@/lib/db/time'
import type { AccountContext } from './context'
import { finishRemoval } from './remove'

const INTERVAL = 10 * 60_000
/** How long an invitation that nobody used is still shown. */
const INVITATION_KEPT = 30 * 86_400_000

/** Goes on with removals that were broken off, and deletes sessions, secrets and invitations that have had their time. */
export class AccountSweeper {
  private timer: NodeJS.Timeout | undefined

  constructor(private readonly ctx: AccountContext) {}

  async start(): Promise<void> {
    this.timer = setInterval(() => void this.sweep(), INTERVAL)
    this.timer.unref()
    void this.sweep()
  }

  async sweep(now = Date.now()): Promise<void> {
    const { db, log } = this.ctx
    try {
      const removals = await db.read((client) =>
        client.user.findMany({ where: { removal: { not: null } }, select: { id: true }, take: PIECE }),
      )
      for (const { id } of removals) await finishRemoval(this.ctx, id)
      await deleteInPieces(db, 'Session WHERE expiresAt < ? ORDER BY expiresAt', sqlTime(now))
      await deleteInPieces(db, 'Verification WHERE expiresAt < ? ORDER BY expiresAt', sqlTime(now))
      const forgotten = sqlTime(now - INVITATION_KEPT)
      await deleteInPieces(db, 'Invitation WHERE usedBy IS NULL AND expiresAt < ? ORDER BY expiresAt', forgotten)
    } catch (error) {
      log.warn({ err: error }, 'clean-up of accounts broken off; it goes on next time')
    }
  }

  close(): void {
    clearInterval(this.timer)
  }
}
