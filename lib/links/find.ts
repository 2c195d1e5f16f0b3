import type { Actor } from '@/lib/actor'
import { normalCode } from '@/lib/codes/custom'
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

export function fullShortUrlOf({ domains }: Pick<LinkContext, 'domains'>, { code, domain }: LinkAddress): string {
  return domains.fullOf(domain === undefined ? domains.defaultHost : normaliseHost(domain), normalCode(code))
}

/** As it was typed, whatever form its domain keeps. */
const typedName = ({ domains }: Pick<LinkContext, 'domains'>, { code, domain }: LinkAddress): string =>
  `${domain === undefined ? domains.defaultHost : normaliseHost(domain)}/${normalCode(code)}`

/** The full short URLs under which a link may be found: more than one only while its domain changes how it keeps codes. */
const namesOf = ({ domains }: Pick<LinkContext, 'domains'>, { code, domain }: LinkAddress): [string, ...string[]] =>
  domains.namesOf(domain === undefined ? domains.defaultHost : normaliseHost(domain), normalCode(code))

/** The one of these links that has the first of these names. */
const firstNamed = <Row extends { fullShortUrl: string }>(names: readonly string[], rows: readonly Row[]): Row | undefined =>
  names.flatMap((name) => rows.filter(({ fullShortUrl }) => fullShortUrl === name))[0]

/** What a person typed or pasted, as far as it is an address of ours. */
export interface TypedAddress {
  host: string
  /** As it came, without the query. */
  path: string
  /** The full short URLs that it names itself, the one for new links last; null where the path can be no code. */
  names: [string, ...string[]] | null
}

/**
 * The address that a person typed or pasted: with or without its scheme, query and preview sign, its letters encoded or not, or a
 * code alone. Whether there is such a link is not asked.
 * @returns null for what is no address of ours
 */
export function typedAddress({ domains }: Pick<LinkContext, 'domains'>, typed: string): TypedAddress | null {
  const bare = typed
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/[?#].*/s, '')
  const address = parseUrl(`https://${bare.includes('/') ? '' : `${domains.defaultHost}/`}${bare}`)
  const domain = address && domains.find(address.host)
  if (!domain) return null
  const code = parsePath(address.pathname)
  const names = code.kind === 'code' ? domains.namesOf(domain.host, code.code) : null
  return { host: domain.host, path: address.pathname, names }
}

/** The names under which the link of such an address may be found; null for what is no link of ours. */
export const typedNames = (ctx: Pick<LinkContext, 'domains'>, typed: string): [string, ...string[]] | null =>
  typedAddress(ctx, typed)?.names ?? null

/** The same, as it is kept. */
export const typedLink = (ctx: Pick<LinkContext, 'domains'>, typed: string): string | null =>
  typedNames(ctx, typed)?.at(-1) ?? null

/**
 * The link of this address, if the actor may manage it. To everyone else all codes are alike, whether there is a link or not:
 * the same refusal, after the same work. Without credentials nothing is looked up, and with them MySQL is asked only for
 * what they open.
 * @throws TerseError 'unauthorized' without credentials, 'forbidden' for a key that may only read, 'not_found', and to those who
 * may look at the link 'gone' (deleted; can be restored) or 'forbidden' (to change it); 'unavailable'
 */
export async function findManaged(ctx: LinkContext, actor: Actor, address: LinkAddress, access: Access): Promise<Link> {
  const names = namesOf(ctx, address)
  const where = { fullShortUrl: { in: names }, ...visibleTo(actor, access) }
  const link = firstNamed(names, await ctx.db.read((client) => client.link.findMany({ where })))
  if (link) {
    requireManager(actor, link, access)
    return link
  }
  if (await ctx.db.read((client) => client.deletedLink.findFirst({ where, select: { id: true } }))) {
    throw new TerseError('gone', say('api.link.deletedRestorable'))
  }
  throw new TerseError('not_found', say('api.link.notYours'))
}

/**
 * The same of a deleted link, to restore it; also of one that was not renamed as others were (./rename.ts).
 * @throws as `findManaged`, without 'gone'
 */
export async function findManagedDeleted(ctx: LinkContext, actor: Actor, address: LinkAddress): Promise<DeletedLink> {
  const names = [...namesOf(ctx, address), typedName(ctx, address)]
  const where = { fullShortUrl: { in: names }, ...visibleTo(actor, 'write') }
  const deleted = firstNamed(names, await ctx.db.read((client) => client.deletedLink.findMany({ where })))
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
  const host = address.domain === undefined ? ctx.domains.defaultHost : normaliseHost(address.domain)
  if (ctx.domains.isSpoken(host, address.code)) return false
  const where = { fullShortUrl: { in: namesOf(ctx, address) }, ownerId: { not: null } }
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
