import type { DatabaseGateway } from '@/lib/db/gateway'
import { timeOf } from '@/lib/db/id'
import { HOUR } from '@/lib/tools/time'
import { offsetsOf } from './calendar'
import { conversionsOf } from './conversions'
import { hourOfWeek, onlyOf, seriesOf, type TimeRow, totalsOf } from './count'
import { comparable, firstOf, hasBreakdowns, type Plan, planOf, rollupFilter, selectionOf } from './plan'
import { type CountedValues, emptyBreakdown, hourlyTotals, hourlyValues, rollupBreakdown } from './rollup'
import { scanBreakdown, scanTimes } from './scan'
import type { Breakdown, Share, Stats, StatsInput, Totals } from './schemas'
import { sourceOf, sourceShares } from './sources'
import type { Facet } from './values'

export interface StatsContext {
  db: DatabaseGateway
}

/** The part of a Link that statistics need. */
export interface CountedLink {
  id: bigint
  createdAt: Date
}

/**
 * Clicks of one link, counted as `input` asks. What is not filtered comes from ClickRollup, whatever the number of
 * clicks; see `rangeOf` for how the range is rounded.
 * @throws TerseError 'validation_failed', 'unavailable' (also when there are too many single clicks to count)
 */
export async function getStats(
  { db }: StatsContext,
  { id, createdAt }: CountedLink,
  input: StatsInput,
  retentionDays: number,
  now = new Date(),
): Promise<Stats> {
  // Nothing was counted here before it came here.
  const since = new Date(Math.max(createdAt.getTime(), timeOf(id)))
  const plan = await planOf(db, { linkIds: [id], createdAt: since, hasSingles: true }, input, retentionDays, now)
  return countStats(db, plan, input)
}

/** What a plan counts. @throws TerseError 'unavailable' (also when there are too many single clicks to count) */
export async function countStats(db: DatabaseGateway, plan: Plan, input: StatsInput): Promise<Stats> {
  const { timezone, limit } = input
  const { range, filters } = plan
  const before = comparable(plan, input)
  const [rows, rowsBefore, values] = await Promise.all([
    timesOf(db, plan, range.from, range.to),
    before && timesOf(db, plan, before.from, before.to),
    breakdownOf(db, plan, limit),
  ])
  const totals = totalsOf(rows)
  const { referrer, destination } = values.breakdown
  const filtered = filteredPanels(filters, totals)
  const conversions = await conversionsOf(db, plan, {
    totals,
    before: rowsBefore && totalsOf(rowsBefore),
    led: filtered.destination ?? destination,
  })
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
      ...values.breakdown,
      source: sourceShares(referrer).slice(0, limit),
      referrer: referrer.slice(0, limit),
      ...filtered,
    },
    others: values.others,
    hourOfWeek: hourOfWeek(rows, offsetsOf(timezone)),
    conversions,
    rawSince: plan.scans && firstOf(plan) < plan.countedSince ? new Date(plan.countedSince).toISOString() : null,
  }
}

/** Clicks from `from` to before `to`, by hour or minute. */
async function timesOf(db: DatabaseGateway, plan: Plan, from: number, to: number): Promise<TimeRow[]> {
  const { linkIds, range, filters, kind, known } = plan
  if (plan.fromClicks) {
    const selection = selectionOf(plan, from, to, filters.length > 0 ? kind : undefined)
    return onlyOf(kind, await scanTimes(db, selection, range.interval === 'minute' ? 'minute' : 'hour'))
  }
  const [first, end] = [Math.max(Math.floor(from / HOUR), known.first), Math.min(Math.ceil(to / HOUR), known.last + 1)]
  const filter = rollupFilter(plan)
  if (!filter) return onlyOf(kind, await hourlyTotals(db, linkIds, first, end))
  return hourlyValues(db, linkIds, filter, first, end)
}

async function breakdownOf(db: DatabaseGateway, plan: Plan, limit: number): Promise<CountedValues> {
  const { linkIds, range, filters, kind, known } = plan
  if (!plan.fromClicks && filters.length === 0 && (kind === undefined || kind === 'person')) {
    return rollupBreakdown(db, linkIds, { from: range.from / HOUR, to: range.to / HOUR }, known, limit)
  }
  if (!hasBreakdowns(plan)) return { breakdown: emptyBreakdown(), others: {} }
  return { breakdown: await scanBreakdown(db, selectionOf(plan, range.from, range.to, kind ?? 'person'), limit), others: {} }
}

/** The panel of what is filtered by shows that value alone. */
function filteredPanels(filters: [Facet, string][], { clicks, visitors }: Totals): Partial<Breakdown> {
  const only = (value: string): Share[] => (clicks > 0 ? [{ value, clicks, visitors }] : [])
  const panels: Partial<Breakdown> = Object.fromEntries(filters.map(([facet, value]) => [facet, only(value)]))
  const [host] = panels.referrer ?? []
  return host ? { ...panels, source: only(sourceOf(host.value)) } : panels
}
