import { type ClickKind, type Dimension, isGivenOnly } from '@/lib/clicks/dimensions'
import type { DatabaseGateway } from '@/lib/db/gateway'
import { DAY, HOUR } from '@/lib/tools/time'
import { offsetsOf } from './calendar'
import { HALF_HOUR, hourOfWeek, onlyOf, seriesOf, type TimeRow, totalsOf } from './count'
import { hostsOf } from './hosts'
import { comparedWith, rangeOf, spanOf, type TimeRange } from './range'
import { type CountedValues, hourlyTotals, hourlyValues, hoursWithClicks, rollupBreakdown } from './rollup'
import { type ClickSelection, scanBreakdown, scanTimes } from './scan'
import type { Breakdown, Share, Stats, StatsInput, Totals } from './schemas'
import { sourceOf, sourceShares } from './sources'
import { FACETS, type Facet } from './values'

export interface StatsContext {
  db: DatabaseGateway
}

/** The part of a Link that statistics need. */
export interface CountedLink {
  id: bigint
  createdAt: Date
}

/** So many clicks are still counted by minutes when nobody asked for minutes. */
const CHEAP_CLICKS = 100_000
/** So many clicks at most are counted one by one, the latest ones. */
const MOST_SCANNED = 300_000

/** How a question is answered. */
interface Plan {
  linkId: bigint
  range: TimeRange
  /** What it is compared with. */
  before: Pick<TimeRange, 'from' | 'to' | 'starts'> | null
  filters: [Facet, string][]
  /** The hosts that the source filtered by stands for. */
  hosts: string[] | null
  kind: ClickKind | undefined
  /** The hours of the first and last clicks, since 1970 UTC. */
  known: { first: number; last: number }
  /** True: everything is counted from single clicks. Else only breakdowns are that stand under a filter, or are not of people. */
  fromClicks: boolean
  /** True: single clicks are counted, for breakdowns at least. */
  scans: boolean
  /** Since when single clicks are counted, ms since 1970 UTC: older ones are deleted by now, or too many. */
  countedSince: number
}

/**
 * Clicks of one link, counted as `input` asks. What is not filtered comes from ClickRollup, whatever the number of
 * clicks; see `rangeOf` for how the range is rounded.
 * @throws TerseError 'validation_failed', 'unavailable' (also when there are too many single clicks to count)
 */
export async function getStats(
  { db }: StatsContext,
  link: CountedLink,
  input: StatsInput,
  retentionDays: number,
  now = new Date(),
): Promise<Stats> {
  const { timezone, limit } = input
  const plan = await planOf(db, link, input, retentionDays, now)
  const { range, filters } = plan
  const before = comparable(plan, input)
  const [rows, rowsBefore, counted] = await Promise.all([
    timesOf(db, plan, range.from, range.to),
    before && timesOf(db, plan, before.from, before.to),
    breakdownOf(db, plan, limit),
  ])
  const totals = totalsOf(rows)
  const { referrer } = counted.breakdown
  return {
    from: new Date(range.from).toISOString(),
    to: new Date(range.to).toISOString(),
    interval: range.interval,
    timezone,
    totals,
    series: seriesOf(range.starts, rows),
    previous: before &&
      rowsBefore && {
        from: new Date(before.from).toISOString(),
        to: new Date(before.to).toISOString(),
        totals: totalsOf(rowsBefore),
        series: seriesOf(before.starts, rowsBefore),
      },
    breakdown: {
      ...counted.breakdown,
      source: sourceShares(referrer).slice(0, limit),
      referrer: referrer.slice(0, limit),
      ...filteredPanels(filters, totals),
    },
    others: counted.others,
    hourOfWeek: hourOfWeek(rows, offsetsOf(timezone, range.from, range.to)),
    rawSince: plan.scans && firstOf(plan) < plan.countedSince ? new Date(plan.countedSince).toISOString() : null,
  }
}

/** What the range is compared with, if there can be clicks in it and these are counted. */
function comparable(plan: Plan, input: StatsInput): Plan['before'] {
  const { before, range, known } = plan
  if (!before || (plan.fromClicks && Math.max(before.from, known.first * HOUR) < plan.countedSince)) return null
  if (input.compareFrom) return before
  if (input.compare === 'year') return before.to > known.first * HOUR ? before : null
  return input.from !== undefined && range.from > known.first * HOUR ? before : null
}

async function planOf(
  db: DatabaseGateway,
  link: CountedLink,
  input: StatsInput,
  retentionDays: number,
  now: Date,
): Promise<Plan> {
  const created = Math.floor(link.createdAt.getTime() / HOUR)
  const known = (await hoursWithClicks(db, link.id)) ?? { first: created, last: created }
  const span = spanOf(input, known.first * HOUR, now.getTime())
  const filters = FACETS.flatMap((facet): [Facet, string][] => {
    const value = input[facet]
    return value === undefined ? [] : [[facet, value]]
  })
  // Under a filter people are counted, unless another kind is asked for.
  const kind = input.kind ?? (filters.length > 0 ? 'person' : undefined)
  const isOfOthers = kind === 'bot' || kind === 'preview'
  const isAutomatic = span.interval === 'minute' && input.interval === undefined
  const scans = span.interval === 'minute' || filters.length > 0 || isOfOthers
  const compared = comparedWith(input, rangeOf(span, input.timezone))
  // Those of the period it is compared with too, which may have to be scanned as well.
  const [earliest, latest] = [Math.min(span.from, compared?.from ?? span.from), Math.max(span.to, compared?.to ?? span.to)]
  const hours = scans ? await hourlyTotals(db, link.id, Math.floor(earliest / HOUR), Math.ceil(latest / HOUR)) : []
  const within = hours.filter(({ at }) => at >= span.from - HALF_HOUR && at < span.to + HALF_HOUR)
  if (isAutomatic && totalsOf(within).clicks > CHEAP_CLICKS) span.interval = 'hour'
  const hosts = await hostsOf(db, link.id, input.source, { from: earliest, to: latest })
  const range = rangeOf(span, input.timezone)
  const kept = Number.isFinite(retentionDays) ? now.getTime() - retentionDays * DAY : 0
  return {
    linkId: link.id,
    range,
    before: comparedWith(input, range),
    filters,
    hosts,
    kind,
    known,
    fromClicks:
      span.interval === 'minute' || filters.length > 1 || filters.some(isUncounted) || (isOfOthers && filters.length > 0),
    scans: span.interval === 'minute' || filters.length > 0 || isOfOthers,
    countedSince: Math.max(kept, latestClicks(hours, MOST_SCANNED)),
  }
}

/** The beginning of the hour since when there were no more than `most` clicks; 0 when there are no more at all. */
function latestClicks(hours: TimeRow[], most: number): number {
  let clicks = 0
  for (const hour of hours.toReversed()) {
    clicks += hour.clicks
    if (clicks > most && clicks > hour.clicks) return hour.at + HALF_HOUR
  }
  return 0
}

/** Clicks without a UTM parameter are in no row of ClickRollup but that of all clicks. */
const isUncounted = ([facet, value]: [Facet, string]) => value === '' && facet !== 'source' && isGivenOnly(facet)

/** Where the plan's range begins, or the link's clicks if later. */
const firstOf = ({ range, known }: Plan) => Math.max(range.from, known.first * HOUR)

/** Clicks from `from` to before `to`, by hour or minute. */
async function timesOf(db: DatabaseGateway, plan: Plan, from: number, to: number): Promise<TimeRow[]> {
  const { linkId, range, filters, hosts, kind, known } = plan
  if (plan.fromClicks) {
    const selection = selectionOf(plan, from, to, filters.length > 0 ? kind : undefined)
    return onlyOf(kind, await scanTimes(db, selection, range.interval === 'minute' ? 'minute' : 'hour'))
  }
  const [first, end] = [Math.max(Math.floor(from / HOUR), known.first), Math.min(Math.ceil(to / HOUR), known.last + 1)]
  const [filter] = filters
  if (!filter) return onlyOf(kind, await hourlyTotals(db, linkId, first, end))
  const [facet, value] = filter
  const [dimension, values]: [Dimension, string[]] = facet === 'source' ? ['referrer', hosts ?? []] : [facet, [value]]
  return hourlyValues(db, linkId, { dimension, values }, first, end)
}

async function breakdownOf(db: DatabaseGateway, plan: Plan, limit: number): Promise<CountedValues> {
  const { linkId, range, filters, kind, known } = plan
  if (!plan.fromClicks && filters.length === 0 && (kind === undefined || kind === 'person')) {
    return rollupBreakdown(db, linkId, { from: range.from / HOUR, to: range.to / HOUR }, known, limit)
  }
  return { breakdown: await scanBreakdown(db, selectionOf(plan, range.from, range.to, kind ?? 'person'), limit), others: {} }
}

/** The single clicks of a plan that are still there. */
function selectionOf({ linkId, filters, hosts, countedSince }: Plan, from: number, to: number, kind?: ClickKind): ClickSelection {
  return { linkId, from: Math.max(from, countedSince), to, filters: Object.fromEntries(filters), hosts, kind }
}

/** The panel of what is filtered by shows that value alone. */
function filteredPanels(filters: [Facet, string][], { clicks, visitors }: Totals): Partial<Breakdown> {
  const only = (value: string): Share[] => (clicks > 0 ? [{ value, clicks, visitors }] : [])
  const panels: Partial<Breakdown> = Object.fromEntries(filters.map(([facet, value]) => [facet, only(value)]))
  const [host] = panels.referrer ?? []
  return host ? { ...panels, source: only(sourceOf(host.value)) } : panels
}
