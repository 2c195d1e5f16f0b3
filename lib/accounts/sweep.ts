import { deleteInPieces, PIECE } from '@/lib/db/pieces'
import { sqlTime } from '@/lib/db/time'
import { Loop } from '@/lib/tools/loop'
import { DAY, MINUTE } from '@/lib/tools/time'
import type { AccountContext } from './context'
import { finishRemoval } from './remove'
import { restsFrom } from './username'

const INTERVAL = 10 * MINUTE
const JITTER = 0.2
/** How long an invitation that nobody used is still shown. */
const INVITATION_KEPT = 30 * DAY

/** Goes on with removals that were broken off, and deletes sessions, keys, secrets and invitations that have had their time. */
export class AccountSweeper {
  private readonly loop = new Loop({
    every: INTERVAL,
    jitter: JITTER,
    run: () => this.sweep(),
    onFailure: (err) => this.ctx.log.warn({ err }, 'clean-up of accounts broken off; it goes on next time'),
  })

  constructor(private readonly ctx: AccountContext) {}

  /** Not waited for: there may be much to remove. */
  async start(): Promise<void> {
    void this.loop.start()
  }

  /** @throws TerseError 'unavailable': the rest is for the next time */
  async sweep(now = Date.now()): Promise<void> {
    const { db } = this.ctx
    const removals = await db.read((client) =>
      client.user.findMany({ where: { removal: { not: null } }, select: { id: true }, take: PIECE }),
    )
    for (const { id } of removals) await finishRemoval(this.ctx, id)
    await deleteInPieces(db, 'Session WHERE expiresAt < ? ORDER BY expiresAt', sqlTime(now))
    await deleteInPieces(db, 'ApiKey WHERE expiresAt < ? ORDER BY expiresAt', sqlTime(now))
    await deleteInPieces(db, 'Verification WHERE expiresAt < ? ORDER BY expiresAt', sqlTime(now))
    const forgotten = sqlTime(now - INVITATION_KEPT)
    await deleteInPieces(db, 'Invitation WHERE usedBy IS NULL AND expiresAt < ? ORDER BY expiresAt', forgotten)
    const { config } = this.ctx
    await deleteInPieces(db, 'TakenUsername WHERE freedAt < ? ORDER BY freedAt', sqlTime(restsFrom(config, now).getTime()))
  }

  close(): void {
    void this.loop.stop()
  }
}
