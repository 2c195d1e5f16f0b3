import type { DeletedLink, Link } from '@/lib/db/generated/client'
import { TerseError } from '@/lib/errors'
import { banLink, switchLink, unbanLink } from './ban'
import type { LinkContext } from './context'
import { deleteFound } from './delete'
import { findById } from './find'
import type { Maker } from './permit'
import { restoreFound } from './restore'
import type { AdminBulkLinks } from './schemas'
import { fromSnapshot } from './snapshot'

/**
 * Does something to one link.
 * @throws TerseError 'not_found', 'conflict' (it cannot be done now), 'forbidden', 'unavailable'
 */
export async function actOnLink(
  ctx: LinkContext,
  admin: Maker,
  id: bigint,
  action: AdminBulkLinks['action'],
  reason: string,
): Promise<{ fullShortUrl: string }> {
  const by: Maker = { ...admin, isModerator: true }
  if (action === 'restore') return restoreFound(ctx, by, await findDeleted(ctx, id))
  if (action === 'ban') return banLink(ctx, id, reason)
  if (action === 'unban') return unbanLink(ctx, by, id)
  if (action !== 'delete') return switchLink(ctx, by, id, action === 'enable')
  const link = await findById(ctx, id)
  await deleteFound(ctx, by, link)
  return link
}

/** A link, a deleted one too. @throws TerseError 'not_found', 'unavailable' */
export async function findAny(ctx: LinkContext, id: bigint): Promise<Link & { deletedAt?: Date }> {
  const link = await ctx.db.read((client) => client.link.findUnique({ where: { id } }))
  if (link) return link
  const deleted = await findDeleted(ctx, id)
  return { ...fromSnapshot(deleted.snapshot), deletedAt: deleted.deletedAt }
}

async function findDeleted(ctx: LinkContext, id: bigint): Promise<DeletedLink> {
  const deleted = await ctx.db.read((client) => client.deletedLink.findUnique({ where: { id } }))
  if (!deleted) throw new TerseError('not_found', 'There is no such link.')
  return deleted
}
