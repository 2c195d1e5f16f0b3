import type { Actor } from '@/lib/actor'
import { normalCode } from '@/lib/codes/custom'
import { isSpokenCode } from '@/lib/codes/reserved'
import type { DeletedLink, Link } from '@/lib/db/generated/client'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { normaliseHost } from '@/lib/net/host'
import { parsePath } from '@/lib/redirect/path'
import { parseUrl } from '@/lib/tools/url'
import { type Access, requireManager, visibleTo } from './access'
import type { LinkContext } from './context'

/** Names one link: its code, and its domain unless that is the default one. */
export interface LinkAddress {
  code: string
  domain?: string | undefined
}

export function fullShortUrlOf(ctx: Pick<LinkContext, 'domains'>, { code, domain }: LinkAddress): string {
  return `${domain === undefined ? ctx.domains.defaultHost : normaliseHost(domain)}/${normalCode(code)}`
}

/**
 * The full short URL that a person typed or pasted: an address with or without its scheme, query and preview sign, its
 * letters encoded or not, or a code alone. Whether there is such a link is not asked.
 * @returns null for what cannot be a link of ours
 */
export function typedLink({ domains }: Pick<LinkContext, 'domains'>, typed: string): string | null {
  const bare = typed
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/[?#].*$/s, '')
  const address = parseUrl(`https://${bare.includes('/') ? '' : `${domains.defaultHost}/`}${bare}`)
  if (address === null) return null
  const path = parsePath(address.pathname)
  const domain = domains.find(address.host)
  return domain && path.kind === 'code' ? `${domain.host}/${path.code}` : null
}

/**
 * The link of this address, if the actor may manage it. To everyone else all codes are alike, whether there is a link or not:
 * the same refusal, after the same work. Without credentials nothing is looked up, and with them MySQL is asked only for
 * what they open.
 * @throws TerseError 'unauthorized' without credentials, 'forbidden' for a key that may only read, 'not_found', and to those who
 * may look at the link 'gone' (deleted; can be restored) or 'forbidden' (to change it); 'unavailable'
 */
export async function findManaged(ctx: LinkContext, actor: Actor, address: LinkAddress, access: Access): Promise<Link> {
  const where = { fullShortUrl: fullShortUrlOf(ctx, address), ...visibleTo(actor, access) }
  const link = await ctx.db.read((client) => client.link.findFirst({ where }))
  if (link) {
    requireManager(actor, link, access)
    return link
  }
  if (await ctx.db.read((client) => client.deletedLink.findFirst({ where, select: { id: true } }))) {
    throw new TerseError('gone', say('api.link.deletedRestorable'))
  }
  throw new TerseError('not_found', say('api.link.notYours'))
}

/** The same of a deleted link, to restore it. @throws as `findManaged`, without 'gone' */
export async function findManagedDeleted(ctx: LinkContext, actor: Actor, address: LinkAddress): Promise<DeletedLink> {
  const where = { fullShortUrl: fullShortUrlOf(ctx, address), ...visibleTo(actor, 'write') }
  const deleted = await ctx.db.read((client) => client.deletedLink.findFirst({ where }))
  if (!deleted) throw new TerseError('not_found', say('api.link.noneDeleted'))
  requireManager(actor, deleted, 'write')
  return deleted
}

export const noSuchLink = () => new TerseError('not_found', say('api.link.none'))

/**
 * Whether the link of this address is an account's, so that its statistics open by signing in and never by a token. Says no more:
 * not whose it is, and of a link without an account the same as of none. Of a spoken code nothing: there are few enough to ask
 * for each, past the limit on misses.
 * @throws TerseError 'unavailable'
 */
export async function isOfAccount(ctx: Pick<LinkContext, 'db' | 'domains'>, address: LinkAddress): Promise<boolean> {
  if (isSpokenCode(address.code)) return false
  const where = { fullShortUrl: fullShortUrlOf(ctx, address), ownerId: { not: null } }
  return (await ctx.db.read((client) => client.link.findFirst({ where, select: { id: true } }))) !== null
}

/** @throws TerseError 'not_found', 'unavailable' */
export async function findById({ db }: Pick<LinkContext, 'db'>, id: bigint): Promise<Link> {
  const link = await db.read((client) => client.link.findUnique({ where: { id } }))
  if (!link) throw noSuchLink()
  return link
}

/** A link, or what was kept of it when it was deleted. */
export type Found = Link | DeletedLink
export const isDeleted = (found: Found): found is DeletedLink => 'snapshot' in found

/** The same of a deleted link too. @throws TerseError 'not_found', 'unavailable' */
export async function findAny({ db }: Pick<LinkContext, 'db'>, id: bigint): Promise<Found> {
  const where = { id }
  const found =
    (await db.read((client) => client.link.findUnique({ where }))) ??
    (await db.read((client) => client.deletedLink.findUnique({ where })))
  if (!found) throw noSuchLink()
  return found
}
