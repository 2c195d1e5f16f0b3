import type { Link } from '@/lib/db/generated/client'
import { otherUrls } from '@/lib/routing/urls'
import { isWeb } from '@/lib/tools/schemes'
import { DAY } from '@/lib/tools/time'
import { listed } from './check'
import type { Finding } from './judge'

/** From one round over all links of an account to the next, in ms. */
export const ROUND = 7 * DAY
/** Destinations of a link that one check asks. Of more, the next rounds ask the others. */
const MOST_ASKED = 20

export type CheckedLink = Pick<Link, 'id' | 'url' | 'routing' | 'expiredUrl' | 'state' | 'expiresAt'>

/** Every page that a link leads visitors to, at present or by its rules, split and end. Its own destination is the first. */
export function pagesOf({ url, routing, expiredUrl }: Pick<CheckedLink, 'url' | 'routing' | 'expiredUrl'>): string[] {
  const others = otherUrls(url, routing === null ? null : JSON.parse(routing))
  return [...new Set([url, ...others, ...(expiredUrl === null ? [] : [expiredUrl])])].filter(isWeb)
}

/**
 * What a check of a link asks: nothing of one that is turned off, and of one that has expired where it leads since.
 * @param before the destination with which something was wrong
 */
export function pagesToAsk(link: CheckedLink, before: string | undefined, now: number): string[] {
  if (link.state !== 'active') return []
  const hasExpired = link.expiresAt !== null && link.expiresAt.getTime() <= now
  if (hasExpired) return link.expiredUrl === null ? [] : [link.expiredUrl].filter(isWeb)
  const pages = pagesOf(link)
  if (pages.length <= MOST_ASKED) return pages
  const first = pages.filter((page) => page === link.url || page === before)
  const rest = pages.filter((page) => !first.includes(page))
  const room = MOST_ASKED - first.length
  const start = (Math.floor(now / ROUND) * room) % rest.length
  return [...first, ...[...rest.slice(start), ...rest.slice(0, start)].slice(0, room)]
}

/** What the list of threats names of what a link leads to. Asks nobody. */
export function threatOf(
  ctx: Parameters<typeof listed>[0],
  link: Pick<CheckedLink, 'url' | 'routing' | 'expiredUrl'>,
): Found | null {
  const found = pagesOf(link).flatMap((destination) => {
    const finding = listed(ctx, destination)
    return finding ? [{ destination, finding }] : []
  })
  return found.find(({ finding }) => finding.is === 'wrong' && finding.reason === 'threat') ?? found[0] ?? null
}

/** What was found of one destination of a link. */
export interface Found {
  destination: string
  finding: Finding
}

/**
 * What is said of a link whose destinations were checked: a threat is worse than all else, and what was wrong before is told
 * until it is well.
 * @param before the destination with which something was wrong
 */
export function worstOf(link: Pick<CheckedLink, 'url'>, found: readonly Found[], before: string | undefined): Found {
  const wrong = found.filter(({ finding }) => finding.is === 'wrong')
  const isThreat = ({ finding }: Found) => finding.is === 'wrong' && (finding.reason === 'threat' || finding.reason === 'maybe')
  const same = ({ destination }: Found) => destination === before
  const threats = wrong.filter(isThreat)
  const worst = threats.find(same) ?? threats[0] ?? wrong.find(same) ?? wrong[0]
  if (worst) return worst
  // Nothing is known of a link that was not asked; one that was is well as soon as what was wrong with it is.
  const asked = before === undefined ? found[0] : found.find(same)
  if (asked) return asked
  return { destination: link.url, finding: found.length > 0 ? { is: 'well' } : { is: 'unknown' } }
}
