import type { Link } from '@/lib/db/generated/client'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { filingOf, NOT_FILED } from '@/lib/labels/filing'
import type { Filing } from '@/lib/labels/schemas'
import { visibleTo } from '@/lib/links/access'
import { createOnce } from '@/lib/links/create-once'
import { findManaged, type LinkAddress, typedAddress } from '@/lib/links/find'
import { idempotencyOf } from '@/lib/links/idempotency'
import { createOrReuse } from '@/lib/links/reuse'
import type { CreateLinkData } from '@/lib/links/schemas'
import { hostOf } from '@/lib/links/view'
import type { Runtime } from '@/lib/runtime'
import type { ForeignCall } from './dialect'

/** A link as the APIs of others need it: with how its owner filed it. */
export interface FiledLink extends Link {
  filing: Filing
}

/** How links are filed, for their owner; for others nothing is. */
export async function filed({ ctx, actor }: Pick<ForeignCall, 'ctx' | 'actor'>, links: readonly Link[]): Promise<FiledLink[]> {
  const { ownerId } = actor
  const own = links.filter((link) => ownerId !== null && link.ownerId === ownerId).map(({ id }) => id)
  const filings = await filingOf(ctx, ownerId ?? '', own)
  return links.map((link) => ({ ...link, filing: filings.get(link.id) ?? NOT_FILED }))
}

/** The same of one. */
export async function filedOne(call: Pick<ForeignCall, 'ctx' | 'actor'>, link: Link): Promise<FiledLink> {
  const [one] = await filed(call, [link])
  return one ?? { ...link, filing: NOT_FILED }
}

/**
 * The address of the link with an ID, for those who may know of it: to others all IDs are alike, after the same work. What may be
 * done to it is asked with the address, as everywhere.
 * @param id null: what was sent is none of ours
 * @throws TerseError 'not_found', 'unavailable'
 */
export async function addressOfId({ ctx, actor }: Pick<ForeignCall, 'ctx' | 'actor'>, id: bigint | null): Promise<LinkAddress> {
  const select = { fullShortUrl: true, code: true } as const
  const where = { id: id ?? 0n, ...visibleTo(actor, 'read') }
  const link = await ctx.db.read((client) => client.link.findFirst({ where, select }))
  if (!link) throw new TerseError('not_found', say('api.link.notYours'))
  return { domain: hostOf(link.fullShortUrl), code: link.code }
}

/** The clicks of a link's whole life, those from before it was imported included: a limit (`maxVisits`) counts them too. */
export const clicksOf = ({ clicks, clicksBefore }: Pick<Link, 'clicks' | 'clicksBefore'>): number => Number(clicks + clicksBefore)

/** The domain of a link; null for the one that links belong to when none is named. */
export function otherDomainOf({ domains }: Pick<Runtime, 'domains'>, { fullShortUrl }: Link): string | null {
  const host = hostOf(fullShortUrl)
  return host === domains.defaultHost ? null : host
}

/** The address of the link that was written as a short URL or as a code alone; null for what is none of ours. */
export function addressTyped(ctx: Pick<Runtime, 'domains'>, typed: string): LinkAddress | null {
  const found = typedAddress(ctx, typed)
  const name = found?.names?.[0]
  return found && name !== undefined ? { domain: found.host, code: name.slice(found.host.length + 1) } : null
}

/**
 * Creates a link, or finds the one that `reuse` allows. A request that names itself by `Idempotency-Key`, as with our own API,
 * gets the same link however often it comes.
 * @throws as `createOrReuse`; 'gone' for a link that was deleted since
 */
export async function createdLink(call: ForeignCall, input: CreateLinkData): Promise<{ link: FiledLink; isNew: boolean }> {
  const { ctx, actor, account, request } = call
  const key = request.headers.get('idempotency-key')
  if (key === null) {
    const { link, isNew } = await createOrReuse(ctx, actor, input)
    if (!('id' in link)) throw new TerseError('internal', say('api.internal'))
    return { link: await filedOne(call, link), isNew }
  }
  const named = idempotencyOf(ctx.config.APP_SECRET, key, account.id, input)
  const { view, isNew } = await createOnce(ctx, named, (once) => createOrReuse(ctx, actor, input, once))
  const { code, domain } = view
  return { link: await filedOne(call, await findManaged(ctx, actor, { code, domain }, 'read')), isNew }
}
