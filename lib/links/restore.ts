import { isUniqueViolation, retryTransaction } from '@/lib/db/errors'
import type { Link } from '@/lib/db/generated/client'
import { TerseError } from '@/lib/errors'
import { outboxRow } from '@/lib/redirect/outbox'
import { toRecord } from '@/lib/redirect/record'
import { announceNew } from './announce'
import type { Actor, LinkContext } from './context'
import { findDeleted, fullShortUrlOf, type LinkAddress } from './find'
import { fromSnapshot } from './snapshot'
import { requireManager } from './tokens'

/**
 * Undoes a deletion.
 * @throws TerseError 'not_found', 'conflict' (the code is in use), 'unauthorized', 'forbidden', 'unavailable'
 */
export async function restoreLink(ctx: LinkContext, actor: Actor, address: LinkAddress): Promise<Link> {
  const full = fullShortUrlOf(ctx, address)
  const deleted = await findDeleted(ctx, full)
  if (!deleted) throw new TerseError('not_found', 'There is no deleted link with this code.')
  requireManager(actor, deleted)
  const link: Link = { ...fromSnapshot(deleted.snapshot), updatedAt: new Date(), version: deleted.version + 1n }
  const outbox = outboxRow(full)
  try {
    await ctx.db.write((client) =>
      retryTransaction(() =>
        client.$transaction(async (tx) => {
          const { count } = await tx.deletedLink.deleteMany({ where: { id: deleted.id, version: deleted.version } })
          if (count === 0) throw new TerseError('conflict', 'This link was restored already.')
          await tx.link.createMany({ data: [link] })
          await tx.outbox.createMany({ data: [outbox] })
        }),
      ),
    )
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new TerseError('conflict', `The code “${deleted.code}” is in use by another link now.`, { cause: error })
  }
  await announceNew(ctx, full, toRecord(link), outbox.id)
  return link
}
