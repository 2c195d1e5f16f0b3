import { invalidField, TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { ScopeStatsQuery } from '@/lib/scopes/schemas'
import { getScopeStats } from '@/lib/scopes/stats'
import type { Breakdown, Share, Stats } from '@/lib/stats/schemas'
import { StatsQuery } from '@/lib/stats/schemas'
import { sourceOf } from '@/lib/stats/sources'
import { getStats } from '@/lib/stats/stats'
import { DAY, HOUR, MINUTE } from '@/lib/tools/time'
import { validate } from '@/lib/tools/validate'
import type { ForeignCall } from '../dialect'
import { numberOf } from '../fields'
import { findAsked } from './links'
import { timeText } from './view'

/** Clicks of people, as Bitly counts them, in the last `units` of a unit, the one that is under way included. -1: in all. */

/** Units of one answer: single clicks are counted for minutes. */
const MOST = { minute: 360, hour: 1_000, day: 1_000, week: 1_000, month: 240 } as const
type Unit = keyof typeof MOST
/** Those that stand for all units of an account. */
const MOST_OF_GROUP = 100

interface Period {
  unit: Unit
  /** -1: all. */
  units: number
  to: Date
}

/** @throws TerseError 'validation_failed' */
function periodIn(query: URLSearchParams): Period {
  const unit = query.get('unit') || 'day'
  if (!Object.hasOwn(MOST, unit)) throw invalidField('unit', say('api.request.oneOf', { values: Object.keys(MOST).join(', ') }))
  const reference = query.get('unit_reference')
  const to = reference ? new Date(reference) : new Date()
  if (Number.isNaN(to.getTime())) throw invalidField('unit_reference', say('api.request.time'))
  const units = numberOf(query.get('units'), -1, MOST[unit as Unit], -1)
  return { unit: unit as Unit, units: units < 1 ? -1 : units, to }
}

/** When the first of so many units began. */
function beginOf({ unit, to }: Period, units: number): number {
  const at = to.getTime()
  const before = units - 1
  switch (unit) {
    case 'minute':
      return (Math.floor(at / MINUTE) - before) * MINUTE
    case 'hour':
      return (Math.floor(at / HOUR) - before) * HOUR
    case 'day':
      return (Math.floor(at / DAY) - before) * DAY
    case 'week':
      return Math.floor(at / DAY) * DAY - (((to.getUTCDay() + 6) % 7) + before * 7) * DAY
    default:
      return Date.UTC(to.getUTCFullYear(), to.getUTCMonth() - before)
  }
}

/** What an answer says of its period. */
const said = ({ unit, units, to }: Period) => ({ units, unit, unit_reference: timeText(to) })

/** The range of our statistics. @param from when it begins if all units are asked for; left out: with the first click */
function rangeOf(period: Period, limit: number, from?: number) {
  const { unit, units, to } = period
  const begin = units === -1 ? from : beginOf(period, units)
  return {
    ...(begin !== undefined && { from: new Date(Math.min(begin, to.getTime())).toISOString() }),
    ...{ to: new Date(to.getTime() + 1).toISOString(), compare: 'none', kind: 'person', limit },
    // Where all are asked for, nothing is told of single units.
    interval: units === -1 && from === undefined ? 'month' : unit,
  }
}

async function ofLink(call: ForeignCall, range: object, link = findAsked(call, 'read')): Promise<Stats> {
  return getStats(call.ctx, await link, validate(StatsQuery, range), call.ctx.config.CLICK_RETENTION_DAYS)
}

async function ofGroup({ ctx, account }: ForeignCall, range: object): Promise<Stats> {
  const stats = await getScopeStats(ctx, account.id, validate(ScopeStatsQuery, range))
  if ('counted' in stats) throw new TerseError('unavailable', say('forms.counting'), { retryAfter: 2 })
  return stats
}

export async function clicks(call: ForeignCall) {
  const period = periodIn(call.query)
  const link = await findAsked(call, 'read')
  const first = Math.max(beginOf(period, MOST[period.unit]), link.createdAt.getTime())
  const { series } = await ofLink(call, rangeOf(period, 1, first), Promise.resolve(link))
  return { ...said(period), link_clicks: newestFirst(call, series) }
}

export async function groupClicks(call: ForeignCall) {
  const period = periodIn(call.query)
  if (period.unit === 'minute') throw invalidField('unit', say('api.request.oneOf', { values: 'hour, day, week, month' }))
  const { series } = await ofGroup(call, rangeOf(period, 1, beginOf(period, MOST_OF_GROUP)))
  return { ...said(period), clicks: newestFirst(call, series) }
}

const newestFirst = ({ query }: ForeignCall, series: Stats['series']) => {
  const all = series.map(({ at, clicks }) => ({ date: timeText(new Date(at)), clicks })).reverse()
  return query.has('size') ? all.slice(0, numberOf(query.get('size'), 1, all.length, 50)) : all
}

export async function summary(call: ForeignCall) {
  const period = periodIn(call.query)
  const { totals } = await ofLink(call, rangeOf(period, 1))
  return { ...said(period), total_clicks: totals.clicks }
}

/** What clicks are broken down by there: the part of ours, and what its unknown value is called. */
const FACETS = {
  countries: { part: 'country', none: '' },
  cities: { part: 'city', none: '' },
  devices: { part: 'device', none: 'other' },
  referrers: { part: 'referrer', none: 'direct' },
  referring_domains: { part: 'referrer', none: 'direct' },
  referring_networks: { part: 'source', none: 'direct' },
} as const satisfies Record<string, { part: keyof Breakdown; none: string }>
export type BitlyFacet = keyof typeof FACETS
export const BITLY_FACETS = Object.keys(FACETS) as BitlyFacet[]

/** Values of one answer. */
const MOST_VALUES = 1_000
const sizeIn = (query: URLSearchParams) => numberOf(query.get('size'), 1, MOST_VALUES, 50)

/** Cities and devices have names of their own for their value, besides the one that all others have. */
const metricOf = (facet: BitlyFacet, { value, clicks }: Share, none: string) => ({
  ...{ value: value || none, clicks },
  ...(facet === 'cities' && { city: value || none }),
  ...(facet === 'devices' && { device_type: value || none }),
})

/** The clicks by one facet: of a link, or of all links of the account. */
export const metricsOf = (facet: BitlyFacet, of: 'link' | 'group') => async (call: ForeignCall) => {
  const period = periodIn(call.query)
  const { part, none } = FACETS[facet]
  const range = rangeOf(period, sizeIn(call.query))
  const { breakdown } = await (of === 'link' ? ofLink(call, range) : ofGroup(call, range))
  return { facet, ...said(period), metrics: breakdown[part].map((share) => metricOf(facet, share, none)) }
}

/** Hosts of referrers, by the network that they belong to. */
export async function referrersByDomains(call: ForeignCall) {
  const period = periodIn(call.query)
  const { breakdown } = await ofLink(call, rangeOf(period, sizeIn(call.query)))
  const networks = new Map<string, { value: string; clicks: number }[]>()
  for (const { value, clicks } of breakdown.referrer) {
    const network = value === '' ? 'direct' : sourceOf(value)
    networks.set(network, [...(networks.get(network) ?? []), { value: value || 'direct', clicks }])
  }
  const referrers_by_domain = [...networks].map(([network, referrers]) => ({ network, referrers }))
  return { facet: 'referrers_by_domain', ...said(period), referrers_by_domain }
}
