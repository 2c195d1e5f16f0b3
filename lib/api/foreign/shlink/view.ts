import { shortUrlOf } from '@/lib/links/view'
import { botsOf } from '@/lib/stats/clicks-at'
import { timeText } from '@/lib/tools/php-times'
import type { ForeignCall } from '../dialect'
import { clicksOf, type FiledLink, otherDomainOf } from '../links'

export const summaryOf = (total: number, bots: number) => ({ total, nonBots: Math.max(0, total - bots), bots })

/** Links as Shlink shows them. */
export async function shortUrlsOf({ ctx }: Pick<ForeignCall, 'ctx'>, links: readonly FiledLink[]) {
  const clicked = links.filter(({ clicks }) => clicks > 0n).map(({ id }) => id)
  const bots = await botsOf(ctx.db, clicked)
  return links.map((link) => {
    const routing = link.routing === null ? {} : (JSON.parse(link.routing) as { rules?: unknown[]; query?: string })
    return {
      shortCode: link.code,
      shortUrl: shortUrlOf(ctx, link),
      longUrl: link.url,
      dateCreated: timeText(link.createdAt),
      visitsSummary: summaryOf(clicksOf(link), bots.get(link.id) ?? 0),
      tags: link.filing.tags,
      meta: { validSince: timeText(link.startsAt), validUntil: timeText(link.expiresAt), maxVisits: link.maxClicks },
      domain: otherDomainOf(ctx, link),
      title: link.title || null,
      // Pages for search engines are never made of short links here.
      crawlable: false,
      forwardQuery: routing.query !== undefined,
      hasRedirectRules: (routing.rules?.length ?? 0) > 0,
    }
  })
}
