import type { Actor } from '@/lib/actor'
import type { Transaction } from '@/lib/db/client'
import type { Link } from '@/lib/db/generated/client'
import { databaseTime } from '@/lib/db/time'
import { TerseError } from '@/lib/errors'
import { noteEvents } from '@/lib/events/outbox'
import { say } from '@/lib/i18n/message'
import { toTombstone } from '@/lib/redirect/record'
import { commit } from './announce'
import type { LinkContext } from './context'
import { type Expected, requireSeen, requireVersion } from './etag'
import { isHeard, linkEvents, tellLateOf } from './events'
import { findManaged, type LinkAddress } from './find'
import { noteEdit } from './history'
import type { Maker } from './permit'
import { removeLinks } from './remove'
import { requireDeletable } from './shared'
import { toSnapshot } from './snapshot'

/**
 * Deletes a link. Its code answers 410 and stays in quarantine, in which the deletion can be undone.
 * @param expected deletes this version of the link only
 * @throws TerseError 'not_found', 'gone', 'conflict' for one that others were given too, 'unauthorized', 'forbidden',
 *   'precondition_failed', 'unavailable'
 */
export async function deleteLink(ctx: LinkContext, actor: Actor, address: LinkAddress, expected?: Expected): Promise<void> {
  const found = await findManaged(ctx, actor, address, 'write')
  if (expected) await requireSeen(ctx, actor, found, expected)
  await deleteFound(ctx, actor, found, expected && ((link) => requireVersion(link, found)))
}

/**
 * The same of a link that this maker may delete.
 * @param check throws if the link, which is locked by then, is not to be deleted
 * @throws TerseError 'gone', 'conflict' for one that others were given too, 'unavailable'
 */
export async function deleteFound(
  ctx: LinkContext,
  by: Maker,
  { fullShortUrl, id, ownerId: heldBy }: Pick<Link, 'fullShortUrl' | 'id' | 'ownerId'>,
  check?: (link: Link) => void,
): Promise<void> {
  const isTold = await isHeard(ctx, 'link.deleted', heldBy)
  let deleted = null as (Link & { deletedAt: Date }) | null
  const write = async (tx: Transaction) => {
    // Locked before it is read, so that the snapshot holds the last click and the last edit.
    await tx.$queryRaw`SELECT id FROM Link WHERE id = ${id} FOR UPDATE`
    const deletedAt = await databaseTime(tx)
    const link = await tx.link.findUnique({ where: { id } })
    if (!link) throw new TerseError('gone', say('api.link.deletedAlready'))
    // Renamed at this moment (lib/links/rename.ts).
    if (link.fullShortUrl !== fullShortUrl) throw new TerseError('conflict', say('api.link.busy'))
    check?.(link)
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
      undoneBy: null,
    }
    // What an earlier link with this code left behind can no longer be restored; the sweeper deletes its clicks.
    const earlier = await tx.deletedLink.findMany({ where: { fullShortUrl }, select: { id: true } })
    await tx.clickPurge.createMany({ data: earlier.map((row) => ({ linkId: row.id })), skipDuplicates: true })
    await tx.deletedLink.deleteMany({ where: { fullShortUrl } })
    await tx.deletedLink.createMany({ data: [{ ...row, snapshot: toSnapshot(link) }] })
    await removeLinks(tx, [id])
    await noteEdit(tx, by, link, { ...link, state: 'deleted', version, updatedAt: deletedAt })
    if (isTold) await noteEvents(tx, linkEvents(ctx, 'link.deleted', [{ ...link, deletedAt }]))
    deleted = { ...link, deletedAt }
    return row
  }
  await commit(ctx, { full: fullShortUrl, isNew: false, recordOf: toTombstone, write })
  if (deleted) await tellLateOf(ctx, 'link.deleted', isTold, deleted)
}
