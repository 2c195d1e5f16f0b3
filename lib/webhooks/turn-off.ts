import type { DatabaseGateway } from '@/lib/db/gateway'
import { FAILING_FOR, TRIES_BEFORE_OFF } from './schedule'
import { giveUpWaiting } from './webhooks'

/** Told of a webhook that was turned off, and since when it had failed. */
export type TurnedOff = (webhook: { id: bigint; ownerId: string; url: string; failingSince: Date }) => Promise<void>

/**
 * Turns a webhook off that has taken nothing for too long, and has its owner told: by one process, once.
 * @param tries how often what was refused just now had been tried
 */
export async function turnOffIfFailing(
  { db }: { db: DatabaseGateway },
  id: bigint,
  tries: number,
  tell: TurnedOff,
): Promise<void> {
  if (tries < TRIES_BEFORE_OFF) return
  const off = await db.atomic(async (tx) => {
    const count = await tx.$executeRaw`
      UPDATE Webhook SET enabled = FALSE, turnedOffAt = UTC_TIMESTAMP(3)
       WHERE id = ${id} AND enabled = TRUE AND failingSince <= UTC_TIMESTAMP(3) - INTERVAL ${FAILING_FOR / 1000} SECOND`
    if (count === 0) return null
    await giveUpWaiting(tx, id)
    return tx.webhook.findUnique({ where: { id } })
  })
  if (off?.failingSince) await tell({ ...off, failingSince: off.failingSince })
}
