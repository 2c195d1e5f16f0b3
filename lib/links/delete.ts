import type { Actor } from '@/lib/actor'
import type { Transaction } from '@/lib/db/client'
import type { Link } from '@/lib/db/generated/client'
import { databaseTime } from '@/lib/db/time'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { toTombstone } from '@/lib/redirect/record'
import { commit } from './announce'
import type { LinkContext } from './context'
import { findManaged, type LinkAddress } from './find'
import type { Maker } from './permit'
import { requireDeletable } from './shared'
import { toSnapshot } from './snapshot'

/**
 * Deletes a link. Its code answers 410 and stays in quarantine, in which the deletion can be undone.
 * @throws TerseError 'not_found', 'gone', 'conflict' for one that others were given too, 'unauthorized', 'forbidden',
 *   'unavailable'
 */
export async function deleteLink(ctx: LinkContext, actor: Actor, address: LinkAddress): Promise<void> {
  await deleteFound(ctx, actor, await findManaged(ctx, actor, address, 'write'))
}

/**
 * The same of a link that this maker may delete.
 * @throws TerseError 'gone', 'conflict' for one that others were given too, 'unavailable'
 */
export async function deleteFound(
  ctx: LinkContext,
  by: Maker,
  { fullShortUrl, id }: Pick<Link, 'fullShortUrl' | 'id'>,
): Promise<void> {
  const write = async (tx: Transaction) => {
    // Locked before it is read, so that the snapshot holds the last click and the last edit.
    await tx.$queryRaw`SELECT id FROM Link WHERE id = ${id} FOR UPDATE`
    const deletedAt = await databaseTime(tx)
    const link = await tx.link.findUnique({ where: { id } })
    if (!link) throw new TerseError('gone', say('api.link.deletedAlready'))
    requireDeletable(by, link)
    const { domainId, code, ownerId, manageTokenHash } = link
    const version = link.version + 1n
    const row = {
      id,
      domainId,
      code,
      fullShortUrl,
      ownerId,
      manageTokenHash,
      version,
      deletedAt,
      deletedByJob: ctx.jobId ?? null,
    }
    // What an earlier link with this code left behind can no longer be restored; the sweeper deletes its clicks.
    const earlier = await tx.deletedLink.findMany({ where: { fullShortUrl }, select: { id: true } })
    await tx.clickPurge.createMany({ data: earlier.map((row) => ({ linkId: row.id })), skipDuplicates: true })
    await tx.deletedLink.deleteMany({ where: { fullShortUrl } })
    await tx.deletedLink.createMany({ data: [{ ...row, snapshot: toSnapshot(link) }] })
    await tx.link.deleteMany({ where: { id } })
    return row
  }
  await commit(ctx, { full: fullShortUrl, isNew: false, recordOf: toTombstone, write })
}
