import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { shortUrlOf } from '@/lib/links/view'
import { accountTotals } from '@/lib/overview/totals'
import { mostClickedMembers } from '@/lib/scopes/members'
import { findScope } from '@/lib/scopes/scope'
import { clicksAt, countClicks, type LinkClick, MOST_CLICKS_COUNTED } from '@/lib/stats/clicks-at'
import { timeText } from '@/lib/tools/php-times'
import type { ForeignCall } from '../dialect'
import { paginationOf, pagingOf } from './paging'
import { findAsked, hostNamed } from './short-urls'
import { summaryOf } from './view'

/** Visits of one page: of one link, and of many. */
const MOST = 1_000
const MOST_OF_MANY = 100

const NAMES = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' })

function visitView(click: LinkClick, visitedUrl: string) {
  const { country, city, referrerUrl, referrer, userAgent, at, kind, destination } = click
  return {
    referer: referrerUrl || referrer,
    date: timeText(new Date(at)),
    userAgent,
    visitLocation: /^[A-Z]{2}$/.test(country)
      ? {
          ...{ countryCode: country, countryName: NAMES.of(country) ?? country, regionName: null, cityName: city },
          ...{ latitude: null, longitude: null, timezone: null, isEmpty: false },
        }
      : null,
    potentialBot: kind !== 'person',
    visitedUrl,
    redirectUrl: destination || null,
  }
}

interface Visited {
  id: bigint
  shortUrl: string
  clicks: number
}

async function page({ ctx, query }: ForeignCall, links: readonly Visited[], most: number) {
  const paging = pagingOf(query, most, most)
  const time = (name: string, otherwise: number) => {
    const at = Date.parse(query.get(name) ?? '')
    return Number.isNaN(at) ? otherwise : at
  }
  const isBotless = query.get('excludeBots') !== null && query.get('excludeBots') !== 'false'
  const selection = {
    ...{ linkIds: links.filter(({ clicks }) => clicks > 0).map(({ id }) => id), from: time('startDate', 0) },
    ...{ to: time('endDate', Date.now()) + 1, kind: isBotless ? ('person' as const) : undefined },
  }
  const [clicks, counted] = await Promise.all([
    clicksAt(ctx.db, selection, paging.skip, paging.size),
    countClicks(ctx.db, selection),
  ])
  // Of more than are counted, the number of clicks that were ever counted.
  const total =
    counted > MOST_CLICKS_COUNTED
      ? Math.max(
          counted,
          links.reduce((sum, one) => sum + one.clicks, 0),
        )
      : counted
  const urls = new Map(links.map(({ id, shortUrl }) => [id.toString(), shortUrl]))
  const data = clicks.map((click) => visitView(click, urls.get(click.linkId) ?? ''))
  return { visits: { data, pagination: paginationOf(paging, total, data.length) } }
}

export async function ofShortUrl(call: ForeignCall) {
  const link = await findAsked(call, 'read')
  return page(call, [{ id: link.id, shortUrl: shortUrlOf(call.ctx, link), clicks: Number(link.clicks) }], MOST)
}

/** Of many links: of the 100 among them with the most clicks. */
async function ofScope(call: ForeignCall, asked: { tag?: string; domain?: string }) {
  const { ctx, account, query } = call
  const scope = await findScope(ctx, account.id, asked)
  const members = await mostClickedMembers(ctx.db, scope)
  const ids = members.map(({ id }) => id)
  const rows = await ctx.db.read((client) => client.link.findMany({ where: { id: { in: ids }, ownerId: account.id } }))
  const host = query.get('domain')
  const only = asked.domain === undefined && host ? (hostNamed(host) ?? ctx.domains.defaultHost) : undefined
  const links = rows
    .filter(({ fullShortUrl }) => only === undefined || fullShortUrl.startsWith(`${only}/`))
    .map((link) => ({ id: link.id, shortUrl: shortUrlOf(ctx, link), clicks: Number(link.clicks) }))
  return page(call, links, MOST_OF_MANY)
}

export const ofTag = (call: ForeignCall) => ofScope(call, { tag: call.params.tag ?? '' })
export const ofDomain = (call: ForeignCall) =>
  ofScope(call, { domain: hostNamed(call.params.domain) ?? call.ctx.domains.defaultHost })
export const ofAll = (call: ForeignCall) => ofScope(call, {})

/** Requests for links that there are not are kept of nobody. */
export const orphans = async ({ query }: ForeignCall) => ({
  visits: { data: [], pagination: paginationOf(pagingOf(query, MOST, MOST), 0, 0) },
})

export const deleteOrphans = async () => ({ deletedVisits: 0 })

/** What was counted stays: nothing here can take it back. */
export async function deleteVisits(call: ForeignCall): Promise<never> {
  await findAsked(call, 'write')
  throw new TerseError('forbidden', say('api.link.clicksStay'))
}

export async function overview({ ctx, account }: ForeignCall) {
  const { clicks, bots } = await accountTotals(ctx.db, account.id)
  return { visits: { nonOrphanVisits: summaryOf(clicks, bots), orphanVisits: summaryOf(0, 0) } }
}
