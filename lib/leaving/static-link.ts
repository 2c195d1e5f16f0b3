import type { Config } from '@/lib/config'
import type { Link } from '@/lib/db/generated/client'
import type { Domains } from '@/lib/domains/domains'
import { hostOf, kindOf, stateOf } from '@/lib/links/view'
import { isOpened } from '@/lib/tools/schemes'

/** What becomes of a link in a set of redirects that a plain web server answers: one rule for all formats. */

/** A link as any web server can answer it. */
export interface StaticLink {
  /** In lower case, without a port. */
  host: string
  /** As it is stored: on a domain that ignores case, its folded form. */
  code: string
  /** ASCII, as `URL.href` writes it. */
  url: string
  status: number
  /** Whether capitals of its code make no difference. */
  isFolded: boolean
  /** ms since 1970; null: always. Only some formats can tell the time. */
  startsAt: number | null
  expiresAt: number | null
  /** Where it leads after that; null: nowhere. */
  expiredUrl: string | null
}

/** Why a link is not in a set. */
export const LEFT_OUT = {
  closed: 'turned off, paused or banned',
  spoken: 'spoken numbers, which go to other links later',
  password: 'with a password',
  limit: 'with a click limit',
  expired: 'expired, with no other destination for then',
  scheduled: 'not started yet',
  scheme: 'to destinations that this format or site does not open',
  long: 'too long for this format',
  domain: 'of other domains than the one that this file is for',
  most: 'more than this format takes',
} as const
export type LeftOut = keyof typeof LEFT_OUT

/** What a link in a set does not do any more. */
export const LOST = {
  choice: 'lead everyone to their own destination, without their rules, split, query, path or click ID',
  expiry: 'go on after they would expire',
  preview: 'no longer have a preview of their own',
  status: 'answer 301 where they answered another status',
} as const
export type Lost = keyof typeof LOST

interface Context {
  domains: Pick<Domains, 'isFolded' | 'isSpoken'>
  config: Pick<Config, 'LINK_SCHEMES'>
}

/**
 * What a set has of a link. **Whatever keeps visitors out keeps the link out** (password, click limit, turned off): a file cannot
 * ask, and a link that leads on all the same would tell what it was to keep. **What chooses between destinations leads to the
 * link's own.** What has a time is told to formats that know the time.
 * @param now ms since 1970
 */
export function staticOf(ctx: Context, link: Link, now: number): StaticLink | LeftOut {
  const state = stateOf(link, new Date(now))
  if (kindOf(link, ctx.domains) === 'spoken') return 'spoken'
  if (state !== 'active' && state !== 'scheduled' && state !== 'expired') return 'closed'
  const host = hostOf(link.fullShortUrl)
  const at = { host, code: link.code, isFolded: ctx.domains.isFolded(host) }
  const isOpen = (url: string) => isOpened(url, ctx.config.LINK_SCHEMES)
  if (state === 'expired') {
    // By its time it leads elsewhere before it asks for a password, as it did here (lib/redirect/decide.ts).
    const byTime = link.expiresAt !== null && link.expiresAt.getTime() <= now
    if (link.passwordHash !== null && !byTime) return 'password'
    if (link.expiredUrl === null) return 'expired'
    if (!isOpen(link.expiredUrl)) return 'scheme'
    return { ...at, url: link.expiredUrl, status: 302, startsAt: null, expiresAt: null, expiredUrl: null }
  }
  if (link.passwordHash !== null) return 'password'
  if (link.maxClicks !== null) return 'limit'
  if (!isOpen(link.url)) return 'scheme'
  return {
    ...at,
    url: link.url,
    status: link.redirectStatus,
    startsAt: state === 'scheduled' ? (link.startsAt?.getTime() ?? null) : null,
    expiresAt: link.expiresAt?.getTime() ?? null,
    expiredUrl: link.expiredUrl !== null && isOpen(link.expiredUrl) ? link.expiredUrl : null,
  }
}

/** What a set loses of a link that is in it. */
export function lossesOf(link: Pick<Link, 'routing' | 'preview'>, { expiresAt }: StaticLink, knowsTime: boolean): Lost[] {
  return [
    ...(link.routing !== null ? (['choice'] as const) : []),
    ...(link.preview !== null ? (['preview'] as const) : []),
    ...(expiresAt !== null && !knowsTime ? (['expiry'] as const) : []),
  ]
}
