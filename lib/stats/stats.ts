import { DIMENSIONS, type Dimension, isGivenOnly } from '@/lib/clicks/dimensions'
import type { DatabaseGateway } from '@/lib/db/gateway'
import { DAY, HOUR, intervalStarts, offsetsOf, periodBefore } from './calendar'
import { hourOfWeek, seriesOf, type TimeRow, totalsOf } from './count'
import { type Range, rangeOf, spanOf } from './range'
import { hourlyTotals, hourlyValue, hoursWithClicks, rollupBreakdown } from './rollup'
import { scanBreakdown, scanTimes } from './scan'
import type { Breakdown, Filters, Stats, StatsInput, Totals } from './schemas'

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

/** How a question is answered. */
interface Plan {
  linkId: bigint
  range: Range
  filters: [Dimension, string][]
  /** The hours of the first and last clicks, since 1970 UTC. */
  known: { first: number; last: number }
  /** True: everything is counted from single clicks. Else only breakdowns are that stand under a filter. */
  fromClicks: boolean
  /** Since when single clicks are kept, ms since 1970 UTC. */
  keptSince: number
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
  const hasBefore = input.from !== undefined && range.from > plan.known.first * HOUR
  const [rows, rowsBefore, counted] = await Promise.all([
    timesOf(db, plan, range.from, range.to),
    hasBefore ? timesOf(db, plan, before.from, before.to) : null,
    breakdownOf(db, plan, limit),
  ])
  const totals = totalsOf(rows)
  const scanned = plan.fromClicks || filters.length > 0
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
    breakdown: { ...counted, ...filteredPanels(filters, totals) },
    hourOfWeek: hourOfWeek(rows, offsetsOf(timezone, range.from, range.to)),
    rawSince: scanned && firstScanned(plan) < plan.keptSince ? new Date(plan.keptSince).toISOString() : null,
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
  if (span.interval === 'minute' && input.interval === undefined) {
    const rows = await hourlyTotals(db, link.id, Math.floor(span.from / HOUR), Math.ceil(span.to / HOUR))
    if (totalsOf(rows).clicks > CHEAP_CLICKS) span.interval = 'hour'
  }
  return {
    linkId: link.id,
    range: rangeOf(span, input.timezone),
    filters,
    known,
    fromClicks: span.interval === 'minute' || filters.length > 1 || filters.some(isUncounted),
    keptSince: Number.isFinite(retentionDays) ? now.getTime() - retentionDays * DAY : 0,
  }
}

/** Clicks without a UTM parameter are in no row of ClickRollup but that of all clicks. */
const isUncounted = ([dimension, value]: [Dimension, string]) => value === '' && isGivenOnly(dimension)

/** Where a scan for the plan's range would begin, if all clicks were still there. */
const firstScanned = ({ range, known }: Plan) => Math.max(range.from, known.first * HOUR)

/** Clicks from `from` to before `to`, by hour or minute. */
async function timesOf(db: DatabaseGateway, plan: Plan, from: number, to: number): Promise<TimeRow[]> {
  const { linkId, range, filters, known } = plan
  if (plan.fromClicks) {
    const kind = filters.length > 0 ? 'person' : undefined
    const selection = { linkId, from: Math.max(from, plan.keptSince), to, filters: Object.fromEntries(filters), kind }
    return scanTimes(db, selection, range.interval === 'minute' ? 'minute' : 'hour')
  }
  const [first, end] = [Math.max(Math.floor(from / HOUR), known.first), Math.min(Math.ceil(to / HOUR), known.last + 1)]
  const [filter] = filters
  if (!filter) return hourlyTotals(db, linkId, first, end)
  const [dimension, value] = filter
  return hourlyValue(db, linkId, { dimension, value }, first, end)
}

function breakdownOf(db: DatabaseGateway, plan: Plan, limit: number): Promise<Breakdown> {
  const { linkId, range, filters, known, keptSince } = plan
  if (!plan.fromClicks && filters.length === 0) {
    return rollupBreakdown(db, linkId, { from: range.from / HOUR, to: range.to / HOUR }, known, limit)
  }
  const given: Filters = Object.fromEntries(filters)
  const others = DIMENSIONS.filter((dimension) => given[dimension] === undefined)
  return scanBreakdown(db, { linkId, from: Math.max(range.from, keptSince), to: range.to, filters: given }, others, limit)
}

/** The panel of a dimension that is filtered by shows that value alone. */
function filteredPanels(filters: [Dimension, string][], { clicks, visitors }: Totals): Partial<Breakdown> {
  return Object.fromEntries(filters.map(([dimension, value]) => [dimension, clicks > 0 ? [{ value, clicks, visitors }] : []]))
}
