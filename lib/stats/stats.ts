import { DIMENSIONS, type Dimension, isGivenOnly } from '@/lib/clicks/dimensions'
import type { DatabaseGateway } from '@/lib/db/gateway'
import { DAY, HOUR } from '@/lib/tools/time'
import { intervalStarts, offsetsOf, periodBefore } from './calendar'
import { HALF_HOUR, hourOfWeek, seriesOf, type TimeRow, totalsOf } from './count'
import { rangeOf, spanOf, type TimeRange } from './range'
import { type CountedValues, hourlyTotals, hourlyValue, hoursWithClicks, rollupBreakdown } from './rollup'
import { scanBreakdown, scanTimes } from './scan'
import type { Breakdown, Stats, StatsInput, Totals } from './schemas'

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
  filters: [Dimension, string][]
  /** The hours of the first and last clicks, since 1970 UTC. */
  known: { first: number; last: number }
  /** True: everything is counted from single clicks. Else only breakdowns are that stand under a filter. */
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
  const before = periodBefore(timezone, range.from, range.to)
  const isCounted = !plan.fromClicks || Math.max(before.from, plan.known.first * HOUR) >= plan.countedSince
  const hasBefore = input.from !== undefined && range.from > plan.known.first * HOUR && isCounted
  const [rows, rowsBefore, counted] = await Promise.all([
    timesOf(db, plan, range.from, range.to),
    hasBefore ? timesOf(db, plan, before.from, before.to) : null,
    breakdownOf(db, plan, limit),
  ])
  const totals = totalsOf(rows)
  return {
    from: new Date(range.from).toISOString(),
    to: new Date(range.to).toISOString(),
    interval: range.interval,
    timezone,
    totals,
    series: seriesOf(range.starts, rows),
    previous: rowsBefore && {
      from: new Date(before.from).toISOString(),
      to: new Date(before.to).toISOString(),
      totals: totalsOf(rowsBefore),
      series: seriesOf(intervalStarts(range.interval, timezone, before.from, before.to), rowsBefore),
    },
    breakdown: { ...counted.breakdown, ...filteredPanels(filters, totals) },
    others: counted.others,
    hourOfWeek: hourOfWeek(rows, offsetsOf(timezone, range.from, range.to)),
    rawSince: plan.scans && firstOf(plan) < plan.countedSince ? new Date(plan.countedSince).toISOString() : null,
  }
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
  const filters = DIMENSIONS.flatMap((dimension): [Dimension, string][] => {
    const value = input[dimension]
    return value === undefined ? [] : [[dimension, value]]
  })
  const isAutomatic = span.interval === 'minute' && input.interval === undefined
  const scans = span.interval === 'minute' || filters.length > 0
  // Those of the period before too, which may have to be scanned as well. A day has 25 hours at most.
  const earliest = Math.floor((2 * span.from - span.to) / HOUR) - 1
  const hours = scans ? await hourlyTotals(db, link.id, earliest, Math.ceil(span.to / HOUR)) : []
  const within = hours.filter(({ at }) => at >= span.from - HALF_HOUR)
  if (isAutomatic && totalsOf(within).clicks > CHEAP_CLICKS) span.interval = 'hour'
  const kept = Number.isFinite(retentionDays) ? now.getTime() - retentionDays * DAY : 0
  return {
    linkId: link.id,
    range: rangeOf(span, input.timezone),
    filters,
    known,
    fromClicks: span.interval === 'minute' || filters.length > 1 || filters.some(isUncounted),
    scans: span.interval === 'minute' || filters.length > 0,
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
const isUncounted = ([dimension, value]: [Dimension, string]) => value === '' && isGivenOnly(dimension)

/** Where the plan's range begins, or the link's clicks if later. */
const firstOf = ({ range, known }: Plan) => Math.max(range.from, known.first * HOUR)

/** Clicks from `from` to before `to`, by hour or minute. */
async function timesOf(db: DatabaseGateway, plan: Plan, from: number, to: number): Promise<TimeRow[]> {
  const { linkId, range, filters, known } = plan
  if (plan.fromClicks) {
    const kind = filters.length > 0 ? 'person' : undefined
    const selection = { linkId, from: Math.max(from, plan.countedSince), to, filters: Object.fromEntries(filters), kind }
    return scanTimes(db, selection, range.interval === 'minute' ? 'minute' : 'hour')
  }
  const [first, end] = [Math.max(Math.floor(from / HOUR), known.first), Math.min(Math.ceil(to / HOUR), known.last + 1)]
  const [filter] = filters
  if (!filter) return hourlyTotals(db, linkId, first, end)
  const [dimension, value] = filter
  return hourlyValue(db, linkId, { dimension, value }, first, end)
}

async function breakdownOf(db: DatabaseGateway, plan: Plan, limit: number): Promise<CountedValues> {
  const { linkId, range, filters, known, countedSince } = plan
  if (!plan.fromClicks && filters.length === 0) {
    return rollupBreakdown(db, linkId, { from: range.from / HOUR, to: range.to / HOUR }, known, limit)
  }
  const selection = { linkId, from: Math.max(range.from, countedSince), to: range.to, filters: Object.fromEntries(filters) }
  return { breakdown: await scanBreakdown(db, selection, limit), others: {} }
}

/** The panel of a dimension that is filtered by shows that value alone. */
function filteredPanels(filters: [Dimension, string][], { clicks, visitors }: Totals): Partial<Breakdown> {
  return Object.fromEntries(filters.map(([dimension, value]) => [dimension, clicks > 0 ? [{ value, clicks, visitors }] : []]))
}
