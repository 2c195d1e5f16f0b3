import type { Link } from '@/lib/db/generated/client'
import type { Domains } from '@/lib/domains/domains'
import { previewIn } from '@/lib/previews/values'
import type { LinkView } from './schemas'
import type { LinkKind, LinkState } from './values'

/** The host of a full short URL. */
export const hostOf = (fullShortUrl: string) => fullShortUrl.slice(0, fullShortUrl.indexOf('/'))

/** The code of a full short URL. */
export const codeIn = (fullShortUrl: string) => fullShortUrl.slice(fullShortUrl.indexOf('/') + 1)

/** The absolute short URL of a link. */
export const shortUrlOf = (
  { domains }: { domains: Pick<Domains, 'shortUrl'> },
  { fullShortUrl, code }: Pick<Link, 'fullShortUrl' | 'code'>,
): string => domains.shortUrl(hostOf(fullShortUrl), code)

export function stateOf(
  link: Pick<Link, 'state' | 'startsAt' | 'expiresAt' | 'maxClicks' | 'taken'>,
  now = new Date(),
): LinkState {
  if (link.state === 'banned' || link.state === 'disabled' || link.state === 'paused') return link.state
  if (link.startsAt && now < link.startsAt) return 'scheduled'
  if (link.expiresAt && now >= link.expiresAt) return 'expired'
  if (link.maxClicks !== null && link.taken >= link.maxClicks) return 'expired'
  return 'active'
}

/** Whether everyone who has the short link can see at this moment where it leads. */
export const isOpenToVisitors = (link: Link, now = new Date()): boolean =>
  link.passwordHash === null && stateOf(link, now) === 'active'

export const kindOf = (
  { code, fullShortUrl }: Pick<Link, 'code' | 'fullShortUrl'>,
  domains: Pick<Domains, 'isSpoken'>,
): LinkKind => (domains.isSpoken(hostOf(fullShortUrl), code) ? 'spoken' : 'short')

/** A link as the API shows it. */
export function toView(link: Link & { deletedAt?: Date }, domains: Domains): LinkView {
  const domain = hostOf(link.fullShortUrl)
  return {
    id: link.id.toString(),
    domain,
    code: link.code,
    shortUrl: shortUrlOf({ domains }, link),
    url: link.url,
    title: link.title,
    state: link.deletedAt ? 'deleted' : stateOf(link),
    kind: kindOf(link, domains),
    createdAt: link.createdAt.toISOString(),
    updatedAt: link.updatedAt.toISOString(),
    expiresAt: link.expiresAt?.toISOString() ?? null,
    startsAt: link.startsAt?.toISOString() ?? null,
    expiredUrl: link.expiredUrl,
    routing: link.routing === null ? null : JSON.parse(link.routing),
    preview: previewIn(link.preview),
    maxClicks: link.maxClicks,
    hasPassword: link.passwordHash !== null,
    redirectStatus: link.redirectStatus,
    clicks: Number(link.clicks),
    clicksBefore: Number(link.clicksBefore),
    listed: link.listed,
    shared: link.shared,
    publicHistory: link.historyHiddenAt === null,
    banReason: link.banReason,
    deletedAt: link.deletedAt?.toISOString() ?? null,
  }
}
