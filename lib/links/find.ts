import type { DeletedLink, Link } from '@/lib/db/generated/client'
import { TerseError } from '@/lib/errors'
import { normaliseHost } from '@/lib/redirect/domains'
import type { Actor, LinkContext } from './context'
import { type Access, requireManager } from './tokens'

/** Names one link: its code, and its domain unless that is the default one. */
export interface LinkAddress {
  code: string
  domain?: string | undefined
}

export function fullShortUrlOf(ctx: Pick<LinkContext, 'domains'>, { code, domain }: LinkAddress): string {
  return `${domain === undefined ? ctx.domains.defaultHost : normaliseHost(domain)}/${code.normalize('NFC')}`
}

/**
 * The link of this address, if the actor may manage it.
 * @throws TerseError 'not_found', 'gone' (deleted; can be restored), 'unauthorized', 'forbidden', 'unavailable'
 */
export async function findManaged(ctx: LinkContext, actor: Actor, address: LinkAddress, access: Access): Promise<Link> {
  const full = fullShortUrlOf(ctx, address)
  const link = await ctx.db.read((client) => client.link.findUnique({ where: { fullShortUrl: full } }))
  if (link) {
    requireManager(actor, link, access)
    return link
  }
  if (await findDeleted(ctx, full)) throw new TerseError('gone', 'This link was deleted. It can be restored.')
  throw new TerseError('not_found', 'There is no link with this code.')
}

/** @throws TerseError 'not_found', 'unavailable' */
export async function findById(ctx: Pick<LinkContext, 'db'>, id: bigint): Promise<Link> {
  const link = await ctx.db.read((client) => client.link.findUnique({ where: { id } }))
  if (!link) throw new TerseError('not_found', 'There is no such link.')
  return link
}

/** The deleted link of this address else null. */
export function findDeleted(ctx: LinkContext, full: string): Promise<DeletedLink | null> {
  return ctx.db.read((client) => client.deletedLink.findUnique({ where: { fullShortUrl: full } }))
}
