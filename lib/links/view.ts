import { isSpokenCode } from '@/lib/codes/reserved'
import type { Link } from '@/lib/db/generated/client'
import type { Domains } from '@/lib/domains/domains'
import type { LinkView } from './schemas'
import type { LinkKind, LinkState } from './values'

/** The host of a full short URL. */
export const hostOf = (fullShortUrl: string) => fullShortUrl.slice(0, fullShortUrl.indexOf('/'))

export function stateOf(
  link: Pick<Link, 'state' | 'startsAt' | 'expiresAt' | 'maxClicks' | 'taken'>,
  now = new Date(),
): LinkState {
  if (link.state === 'banned' || link.state === 'disabled') return link.state
  if (link.startsAt && now < link.startsAt) return 'scheduled'
  if (link.expiresAt && now >= link.expiresAt) return 'expired'
  if (link.maxClicks !== null && link.taken >= link.maxClicks) return 'expired'
  return 'active'
}

export const kindOf = ({ code }: Pick<Link, 'code'>): LinkKind => (isSpokenCode(code) ? 'spoken' : 'short')

/** A link as the API shows it. */
export function toView(link: Link & { deletedAt?: Date }, domains: Domains): LinkView {
  const domain = hostOf(link.fullShortUrl)
  return {
    id: link.id.toString(),
    domain,
    code: link.code,
    shortUrl: domains.shortUrl(domain, link.code),
    url: link.url,
    title: link.title,
    state: link.deletedAt ? 'deleted' : stateOf(link),
    kind: kindOf(link),
    createdAt: link.createdAt.toISOString(),
    updatedAt: link.updatedAt.toISOString(),
    expiresAt: link.expiresAt?.toISOString() ?? null,
    startsAt: link.startsAt?.toISOString() ?? null,
    expiredUrl: link.expiredUrl,
    maxClicks: link.maxClicks,
    hasPassword: link.passwordHash !== null,
    redirectStatus: link.redirectStatus,
    clicks: Number(link.clicks),
    listed: link.listed,
    shared: link.shared,
    banReason: link.banReason,
    deletedAt: link.deletedAt?.toISOString() ?? null,
  }
}
