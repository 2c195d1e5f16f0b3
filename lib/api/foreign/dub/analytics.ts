import { invalidField, TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { findManaged } from '@/lib/links/find'
import { hostOf, shortUrlOf } from '@/lib/links/view'
import { ScopeStatsQuery } from '@/lib/scopes/schemas'
import { getScopeStats } from '@/lib/scopes/stats'
import { type Breakdown, type Stats, StatsQuery } from '@/lib/stats/schemas'
import { getStats } from '@/lib/stats/stats'
import { DAY, HOUR } from '@/lib/tools/time'
import { validate } from '@/lib/tools/validate'
import type { ForeignCall } from '../dialect'
import { addressAsked, addressById } from './links'
import { idOf, KnownNames } from './names'
import { domainIn } from './sent'

/** Clicks of people on one link, or on those of an account, with a tag, in a folder or on a domain. */

/** Values of one answer. */
const MOST = 100

/** How clicks are broken down: the part of ours, and what the value is called. */
const GROUPS: Readonly<Record<string, { part: keyof Breakdown; name: string; none: string }>> = {
  countries: { part: 'country', name: 'country', none: 'Unknown' },
  cities: { part: 'city', name: 'city', none: 'Unknown' },
  devices: { part: 'device', name: 'device', none: 'Unknown' },
  browsers: { part: 'browser', name: 'browser', none: 'Unknown' },
  os: { part: 'os', name: 'os', none: 'Unknown' },
  referers: { part: 'referrer', name: 'referer', none: '(direct)' },
  utm_sources: { part: 'utm_source', name: 'utm_source', none: '' },
  utm_mediums: { part: 'utm_medium', name: 'utm_medium', none: '' },
  utm_campaigns: { part: 'utm_campaign', name: 'utm_campaign', none: '' },
  utm_terms: { part: 'utm_term', name: 'utm_term', none: '' },
  utm_contents: { part: 'utm_content', name: 'utm_content', none: '' },
}
const OTHER_GROUPS = ['count', 'timeseries', 'top_links', 'top_urls']

/** By what clicks are picked: their names there, and ours. */
const FILTERS: Readonly<Record<string, string>> = {
  ...{
    country: 'country',
    city: 'city',
    device: 'device',
    browser: 'browser',
    os: 'os',
    referer: 'referrer',
    url: 'destination',
  },
  ...{ utm_source: 'utm_source', utm_medium: 'utm_medium', utm_campaign: 'utm_campaign', utm_term: 'utm_term' },
  utm_content: 'utm_content',
}
const NOT_HERE = [
  ...['continent', 'region', 'trigger', 'refererUrl', 'root', 'qr', 'tenantId', 'customerId', 'externalId', 'partnerId'],
  ...['groupId', 'programId', 'partnerTagId', 'saleType', 'query'],
]

/** When each range begins, and the interval of its series. Without a beginning, with the first click. */
const RANGES: Readonly<Record<string, (now: Date) => { from?: number; interval: 'hour' | 'day' | 'month' }>> = {
  '24h': (now) => ({ from: now.getTime() - DAY, interval: 'hour' }),
  '7d': (now) => ({ from: now.getTime() - 7 * DAY, interval: 'day' }),
  '30d': (now) => ({ from: now.getTime() - 30 * DAY, interval: 'day' }),
  '90d': (now) => ({ from: now.getTime() - 90 * DAY, interval: 'day' }),
  '1y': (now) => ({ from: Date.UTC(now.getUTCFullYear() - 1, now.getUTCMonth(), now.getUTCDate()), interval: 'month' }),
  mtd: (now) => ({ from: Date.UTC(now.getUTCFullYear(), now.getUTCMonth()), interval: 'day' }),
  qtd: (now) => ({ from: Date.UTC(now.getUTCFullYear(), Math.floor(now.getUTCMonth() / 3) * 3), interval: 'day' }),
  ytd: (now) => ({ from: Date.UTC(now.getUTCFullYear(), 0), interval: 'month' }),
  all: () => ({ interval: 'month' }),
}

/** @throws TerseError 'validation_failed' */
function timeIn(query: URLSearchParams, name: string): Date | null {
  const text = query.get(name)
  if (!text) return null
  const at = new Date(text)
  if (Number.isNaN(at.getTime())) throw invalidField(name, say('api.request.time'))
  return at
}

/** @throws TerseError 'validation_failed' */
function rangeIn(query: URLSearchParams, now: Date) {
  const start = timeIn(query, 'start')
  const to = timeIn(query, 'end') ?? now
  if (start) {
    const days = (to.getTime() - start.getTime()) / DAY
    const interval = days <= 2 ? 'hour' : days <= 180 ? 'day' : 'month'
    return { from: start.toISOString(), to: to.toISOString(), interval }
  }
  const name = query.get('interval') || '24h'
  if (!Object.hasOwn(RANGES, name)) {
    throw invalidField('interval', say('api.request.oneOf', { values: Object.keys(RANGES).join(', ') }))
  }
  const { from, interval } = (RANGES[name] as (now: Date) => { from?: number; interval: string })(now)
  // Whole hours are counted: one that is under way is the last of them.
  const first = from === undefined ? undefined : interval === 'hour' ? Math.floor(from / HOUR + 1) * HOUR : from
  return { ...(first !== undefined && { from: new Date(first).toISOString() }), to: to.toISOString(), interval }
}

/** One value: there may be several of them there, and those that are left out. @throws TerseError 'validation_failed' */
function oneIn(query: URLSearchParams, name: string): string | undefined {
  const value = query.get(name)
  if (!value) return undefined
  if (value.startsWith('-') || (value.includes(',') && name !== 'url')) throw invalidField(name, say('api.request.oneValue'))
  return value
}

/** What is asked of our statistics, except for which links. @throws TerseError 'validation_failed' */
function inputOf({ query }: ForeignCall, now: Date): Record<string, unknown> {
  for (const name of NOT_HERE) if (query.get(name)) throw invalidField(name, say('api.request.notHere'))
  const filters = Object.entries(FILTERS).flatMap(([theirs, ours]) => {
    const value = oneIn(query, theirs)
    return value === undefined ? [] : [[ours, ours === 'device' ? value.toLowerCase() : value] as const]
  })
  const timezone = query.get('timezone')
  return {
    ...{ ...rangeIn(query, now), compare: 'none', kind: 'person', limit: MOST, ...(timezone && { timezone }) },
    ...Object.fromEntries(filters),
  }
}

/** A link as lists of the most clicked tell it. */
const topLink = (
  id: string,
  link: { domain: string; code: string; shortUrl: string; url: string; title: string; createdAt: string },
) => {
  const { domain, code: key, shortUrl: shortLink, url, title, createdAt } = link
  return { link: idOf('link', id), id: idOf('link', id), domain, key, shortLink, url, title: title || null, createdAt }
}

interface Found extends Pick<Stats, 'totals' | 'series' | 'breakdown'> {
  links: () => object[]
  urls: () => object[]
}

async function ofLink(call: ForeignCall, input: object): Promise<Found> {
  const { ctx, actor, query } = call
  const linkId = oneIn(query, 'linkId')
  const address = linkId === undefined ? await addressAsked(call) : await addressById(call, linkId)
  const link = await findManaged(ctx, actor, address, 'read')
  const stats = await getStats(ctx, link, validate(StatsQuery, input), ctx.config.CLICK_RETENTION_DAYS)
  const { clicks } = stats.totals
  const { url, title, code, createdAt } = link
  const shown = { domain: hostOf(link.fullShortUrl), code, shortUrl: shortUrlOf(ctx, link), url, title }
  return {
    ...stats,
    links: () =>
      clicks === 0 ? [] : [{ ...topLink(String(link.id), { ...shown, createdAt: createdAt.toISOString() }), clicks }],
    urls: () => {
      const led = stats.breakdown.destination.map((share) => ({ url: share.value, clicks: share.clicks }))
      return led.length > 0 || clicks === 0 ? led : [{ url, clicks }]
    },
  }
}

async function ofMany(call: ForeignCall, input: object): Promise<Found> {
  const { ctx, account, query } = call
  const [tagId, folderId] = [oneIn(query, 'tagId') ?? oneIn(query, 'tagIds'), oneIn(query, 'folderId')]
  const domain = query.get('domain') ? (domainIn(ctx, oneIn(query, 'domain')) ?? ctx.domains.defaultHost) : undefined
  const names = tagId || folderId ? await KnownNames.of(call) : null
  const scope = {
    ...(tagId !== undefined && { tag: names?.tagNamed(tagId, 'tagId') }),
    ...(folderId !== undefined && { folder: names?.folderNamed(folderId, 'folderId') }),
    ...(domain !== undefined && { domain }),
  }
  const stats = await getScopeStats(ctx, account.id, validate(ScopeStatsQuery, { ...input, ...scope }))
  if ('counted' in stats) throw new TerseError('unavailable', say('forms.counting'), { retryAfter: 2 })
  return {
    ...stats,
    links: () => stats.top.map(({ link, clicks }) => ({ ...topLink(link.id, link), clicks })),
    urls: () => stats.breakdown.destination.map(({ value, clicks }) => ({ url: value, clicks })),
  }
}

export async function retrieve(call: ForeignCall) {
  const { query } = call
  const groupBy = query.get('groupBy') || 'count'
  const known = [...OTHER_GROUPS, ...Object.keys(GROUPS)]
  if (!known.includes(groupBy)) throw invalidField('groupBy', say('api.request.oneOf', { values: known.join(', ') }))
  if ((query.get('event') || 'clicks') !== 'clicks') throw invalidField('event', say('api.request.oneOf', { values: 'clicks' }))
  const input = inputOf(call, new Date())
  const isLink = query.get('linkId') || query.get('key')
  const { totals, series, breakdown, links, urls } = await (isLink ? ofLink(call, input) : ofMany(call, input))
  if (groupBy === 'count') return { clicks: totals.clicks }
  if (groupBy === 'timeseries') return series.map(({ at, clicks }) => ({ start: at, clicks }))
  if (groupBy === 'top_links') return links()
  if (groupBy === 'top_urls') return urls()
  const { part, name, none } = GROUPS[groupBy] as { part: keyof Breakdown; name: string; none: string }
  return breakdown[part].map(({ value, clicks }) => ({
    ...{ [name]: value || none, clicks },
    // No more is known of a city than its name.
    ...(groupBy === 'cities' && { country: 'Unknown', region: 'Unknown' }),
  }))
}
