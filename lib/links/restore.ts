import type { Actor } from '@/lib/actor'
import { TOTAL } from '@/lib/clicks/dimensions'
import { noteRestored } from '@/lib/counts/changes'
import type { Transaction } from '@/lib/db/client'
import { isUniqueViolation } from '@/lib/db/errors'
import type { DeletedLink, Link } from '@/lib/db/generated/client'
import { databaseTime } from '@/lib/db/time'
import { TerseError } from '@/lib/errors'
import { noteEvents } from '@/lib/events/outbox'
import type { FieldChange } from '@/lib/history/changes'
import { say } from '@/lib/i18n/message'
import { notePreview } from '@/lib/previews/note-preview'
import { toRecord } from '@/lib/redirect/record'
import { commit } from './announce'
import { requireOwnPath } from './below'
import type { LinkContext } from './context'
import { isHeard, linkEvents, tellLateOf } from './events'
import { findManagedDeleted, type LinkAddress } from './find'
import { noteEdit } from './history'
import { insertLinks } from './insert'
import { noteSplitEnd } from './note-split-end'
import { type Maker, permitRestored } from './permit'
import { fromSnapshot } from './snapshot'
import { hostOf } from './view'

/**
 * Undoes a deletion.
 * @throws TerseError 'not_found', 'conflict' (the code is in use), 'unauthorized', 'forbidden', 'unavailable'
 */
export async function restoreLink(ctx: LinkContext, actor: Actor, address: LinkAddress): Promise<Link> {
  return restoreFound(ctx, actor, await findManagedDeleted(ctx, actor, address))
}

/**
 * The same of a link that this maker may restore. Whose it is, and who may manage it, is what `DeletedLink` says now: its account
 * may have been removed since, and then it belongs to nobody, and admins alone manage it.
 * @throws TerseError 'conflict', 'unavailable'; what the rules refuse
 */
export async function restoreFound(
  ctx: LinkContext,
  maker: Maker,
  { id, code, ownerId, fullShortUrl: full }: DeletedLink,
): Promise<Link> {
  // Where it stood it does not come to stand again: whoever takes these paths meanwhile counts on there being none.
  if (!maker.isModerator) await requireOwnPath(ctx, maker, { host: hostOf(full), code })
  requireForm(ctx, full, code)
  const isTold = await isHeard(ctx, 'link.changed', ownerId)
  let changes: FieldChange[] = []
  const write = async (tx: Transaction) => {
    // Locked: who removes the account at this moment waits, or was first.
    await tx.$queryRaw`SELECT id FROM DeletedLink WHERE id = ${id} FOR UPDATE`
    const deleted = await tx.deletedLink.findUnique({ where: { id } })
    if (!deleted) throw new TerseError('conflict', say('api.link.restoredAlready'))
    // Renamed at this moment (lib/links/rename.ts).
    if (deleted.fullShortUrl !== full) throw new TerseError('conflict', say('api.link.busy'))
    const row = permitRestored(ctx, maker, restored(deleted, await databaseTime(tx)))
    await tx.deletedLink.deleteMany({ where: { id } })
    await insertLinks(tx, [row])
    await noteSplitEnd(tx, id, row.routing)
    await notePreview(tx, row)
    await noteRestored(tx, [row])
    changes = await noteEdit(tx, maker, { ...fromSnapshot(deleted.snapshot), state: 'deleted' }, row)
    const link = { ...row, clicks: await recount(tx, id) }
    if (isTold) await noteEvents(tx, linkEvents(ctx, 'link.changed', [link], { changed: ['state'], changes }))
    return link
  }
  try {
    const link = await commit(ctx, { full, isNew: true, recordOf: toRecord, write })
    await tellLateOf(ctx, 'link.changed', isTold, link, { changed: ['state'], changes })
    return link
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new TerseError('conflict', say('api.link.codeReused', { code }), { cause: error })
  }
}

/**
 * Refuses one whose name another had when capitals ceased to matter (lib/links/rename.ts), and while that is being found out.
 * @throws TerseError 'conflict'
 */
function requireForm({ domains }: Pick<LinkContext, 'domains'>, full: string, code: string): void {
  const host = hostOf(full)
  if (domains.codeOn(host, code) === code) return
  const isChanging = domains.find(host)?.codeCase === 'changing'
  throw new TerseError('conflict', isChanging ? say('api.link.busy') : say('api.link.codeReused', { code }))
}

function restored({ snapshot, ownerId, manageTokenHash, version }: DeletedLink, updatedAt: Date): Link {
  const link = fromSnapshot(snapshot)
  // Nobody's page lists a link of nobody.
  const listed = ownerId !== null && link.listed
  return { ...link, ownerId, manageTokenHash, listed, updatedAt, version: version + 1n }
}

/**
 * Sets a link's clicks to those that were counted, for some may have been since it was deleted. What applies
 * clicks writes the counts first and the link's row last: this locking read waits for those who came too early to
 * find the row, and those who come later find it.
 */
async function recount(tx: Transaction, linkId: bigint): Promise<bigint> {
  const [counted] = await tx.$queryRaw<{ clicks: bigint }[]>`
    SELECT CAST(COALESCE(SUM(clicks), 0) AS SIGNED) AS clicks FROM ClickRollup
     WHERE linkId = ${linkId} AND dimension = ${TOTAL} AND span = 1 FOR UPDATE`
  const clicks = BigInt(counted?.clicks ?? 0)
  await tx.link.updateMany({ where: { id: linkId }, data: { clicks } })
  return clicks
}
