import type { Actor } from '@/lib/actor'
import type { Link } from '@/lib/db/generated/client'
import type { DomainRow, Domains } from '@/lib/domains/domains'
import { filingIn, filingOf, isFiled, NOT_FILED } from '@/lib/labels/filing'
import type { Filing } from '@/lib/labels/schemas'
import { sha256 } from '@/lib/tools/hash'
import type { LinkContext } from './context'
import { createUnlessFound, type New } from './create'
import type { Idempotency } from './idempotency'
import type { Permitted } from './permit'
import type { CreateLinkData, LinkView, SharedLinkView } from './schemas'
import { hostOf, toView } from './view'

/** Of someone else's link: what following it tells, and nothing of who made it, when, or how often it was followed. */
export type SharedLink = Pick<Link, 'code' | 'fullShortUrl' | 'url' | 'redirectStatus'>

/** What `reuse` found: the account's own link, or of someone else's what anyone may know. */
export interface Reused {
  isNew: false
  link: Link | SharedLink
  /** How its owner filed it; null without an account. */
  filing: Filing | null
}

/**
 * What a request for a link gets: a new one, or with `reuse` perhaps one that exists.
 * @throws TerseError as `createLink`
 */
export function createOrReuse(
  ctx: LinkContext,
  actor: Actor,
  input: CreateLinkData,
  idempotency: Idempotency | null = null,
): Promise<New | Reused> {
  const find = async (domain: DomainRow, permitted: Permitted<CreateLinkData>): Promise<Reused | null> => {
    const link = await findReusable(ctx, actor, domain, permitted)
    if (!link) return null
    if (actor.ownerId === null || !('id' in link)) return { isNew: false, link, filing: null }
    const filings = await filingOf(ctx, actor.ownerId, [link.id])
    return { isNew: false, link, filing: filings.get(link.id) ?? NOT_FILED }
  }
  return createUnlessFound(ctx, actor, input, idempotency, input.reuse && input.code === undefined ? find : null)
}

/** The answer to a request for a link: in full what is the caller's, with its manage token if it is new. */
export function createdView(created: New | Reused, domains: Domains): LinkView | SharedLinkView {
  const { link } = created
  if (created.isNew) {
    const { manageToken, filing } = created
    return { ...toView(created.link, domains), ...filing, ...(manageToken !== null && { manageToken }) }
  }
  if ('id' in link) return { ...toView(link, domains), ...created.filing }
  const domain = hostOf(link.fullShortUrl)
  const { code, url, redirectStatus } = link
  return { domain, code, shortUrl: domains.shortUrl(domain, code), url, redirectStatus }
}

/** Whether what is asked for is a plain link: only such a one can stand in for another. */
function isPlain(input: CreateLinkData): boolean {
  if (isFiled(filingIn(input))) return false
  const { password, startsAt, expiresAt, expiredUrl, routing, preview, maxClicks, title, enabled, listed } = input
  const isTimed = startsAt || expiresAt || expiredUrl
  return !password && !isTimed && !routing && !preview && !maxClicks && !title && !listed && enabled !== false
}

/**
 * The account's plain link to this destination on this domain, or null. Without an account that is anyone's
 * anonymous link, from then on `shared`: its maker can no longer change where it leads, or whether (lib/links/shared.ts).
 */
async function findReusable(
  ctx: LinkContext,
  actor: Actor,
  domain: DomainRow,
  input: Permitted<CreateLinkData>,
): Promise<Link | SharedLink | null> {
  if (!isPlain(input)) return null
  const plain = {
    ownerId: actor.ownerId,
    urlHash: sha256(input.url),
    domainId: domain.id,
    state: 'active',
    listed: false,
    title: '',
    passwordHash: null,
    startsAt: null,
    expiresAt: null,
    expiredUrl: null,
    routing: null,
    maxClicks: null,
    historyHiddenAt: null,
    preview: null,
    redirectStatus: input.redirectStatus ?? 302,
  } as const
  const link = await ctx.db.read((client) => client.link.findFirst({ where: plain, orderBy: { id: 'asc' } }))
  if (!link || actor.ownerId !== null) return link
  const { code, fullShortUrl, redirectStatus } = link
  const given: SharedLink = { code, fullShortUrl, url: link.url, redirectStatus }
  if (link.shared) return given
  // Only if it is still what was found: an edit may be under way.
  const { count } = await ctx.db.write((client) =>
    client.link.updateMany({ where: { id: link.id, version: link.version }, data: { shared: true } }),
  )
  return count === 1 ? given : null
}
