import { type ClickKind, DIMENSIONS, type Dimension, dimensionNumber, isGivenOnly, TOTAL } from '@/lib/clicks/dimensions'
import type { DatabaseGateway } from '@/lib/db/gateway'
import { invalidField, type TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { DAY, HOUR } from '@/lib/tools/time'
import { HALF_HOUR, type TimeRow, totalsOf } from './count'
import { hostsOf } from './hosts'
import { comparedWith, rangeOf, spanOf, type TimeRange } from './range'
import { hourlyTotals, hoursWithClicks, whereSpans } from './rollup'
import type { ClickSelection } from './scan'
import type { StatsInput } from './schemas'
import { FACETS, type Facet, type Interval } from './values'

/** The links whose clicks are counted. */
export interface Counted {
  /** At least one. Their rows of ClickRollup are added up. */
  linkIds: readonly bigint[]
  /** Where a range without `from` begins as long as there are no clicks. */
  createdAt: Date
  /** Whether they have single clicks too, in Click. Kept sums (lib/scopes) have rollups alone. */
  hasSingles: boolean
}

/** A short range is shown by minutes, unasked, if it has at most this many clicks. */
const CHEAP_CLICKS = 100_000
/** At most this many clicks are counted one by one: the latest ones. */
const MOST_SCANNED = 300_000

/** What is read to answer a question: rollups where they can, and single clicks where they must. */
export interface Plan {
  linkIds: readonly bigint[]
  range: TimeRange
  /** The period that the range is compared with. */
  before: Pick<TimeRange, 'from' | 'to' | 'starts'> | null
  filters: [Facet, string][]
  /** With a filter on a source: its hosts. */
  hosts: string[] | null
  kind: ClickKind | undefined
  /** The hours of the first and last clicks, in hours since 1970 UTC. */
  known: { first: number; last: number }
  hasSingles: boolean
  /** Whether everything is counted from single clicks. Otherwise, totals and the series come from rollups. */
  fromClicks: boolean
  /** Whether single clicks are counted at all, if only for breakdowns: those with a filter, and those of bots and previews. */
  scans: boolean
  /** Only single clicks since then are counted, in ms since 1970 UTC: older ones were deleted, or are too many. */
  countedSince: number
}

/** The period to compare with; null if no click can be in it, or if its single clicks are no longer counted. */
export function comparable(plan: Plan, input: StatsInput): Plan['before'] {
  const { before, range, known } = plan
  if (!before || (plan.fromClicks && Math.max(before.from, known.first * HOUR) < plan.countedSince)) return null
  if (input.compareFrom) return before
  if (input.compare === 'year') return before.to > known.first * HOUR ? before : null
  return input.from !== undefined && range.from > known.first * HOUR ? before : null
}

/**
 * Plans an answer.
 * @throws TerseError 'validation_failed' (also for what only single clicks could answer, if there are none), 'unavailable'
 */
export async function planOf(
  db: DatabaseGateway,
  { linkIds, createdAt, hasSingles }: Counted,
  input: StatsInput,
  retentionDays: number,
  now: Date,
): Promise<Plan> {
  const created = Math.floor(createdAt.getTime() / HOUR)
  const known = (await hoursWithClicks(db, linkIds)) ?? { first: created, last: created }
  const span = spanOf(input, known.first * HOUR, now.getTime())
  const filters = FACETS.flatMap((facet): [Facet, string][] => {
    const value = input[facet]
    return value === undefined ? [] : [[facet, value]]
  })
  // With a filter, people are counted unless another kind is asked for: the rollups of values are of people.
  const kind = input.kind ?? (filters.length > 0 ? 'person' : undefined)
  const isOfOthers = kind === 'bot' || kind === 'preview'
  const isAutomatic = span.interval === 'minute' && input.interval === undefined
  if (isAutomatic && !hasSingles) span.interval = 'hour'
  const scans = () => hasSingles && (span.interval === 'minute' || filters.length > 0 || isOfOthers)
  const compared = comparedWith(input, rangeOf(span, input.timezone))
  // The period it is compared with may have to be scanned too.
  const [earliest, latest] = [Math.min(span.from, compared?.from ?? span.from), Math.max(span.to, compared?.to ?? span.to)]
  const hours = scans() ? await hourlyTotals(db, linkIds, Math.floor(earliest / HOUR), Math.ceil(latest / HOUR)) : []
  const within = hours.filter(({ at }) => at >= span.from - HALF_HOUR && at < span.to + HALF_HOUR)
  if (isAutomatic && totalsOf(within).clicks > CHEAP_CLICKS) span.interval = 'hour'
  const hosts = await hostsOf(db, linkIds, input.source, { from: earliest, to: latest })
  const range = rangeOf(span, input.timezone)
  const fromClicks =
    span.interval === 'minute' || filters.length > 1 || filters.some(isUncounted) || (isOfOthers && filters.length > 0)
  if (fromClicks && !hasSingles) throw needsSingles(span.interval, filters)
  const kept = Number.isFinite(retentionDays) ? now.getTime() - retentionDays * DAY : 0
  return {
    linkIds,
    range,
    before: comparedWith(input, range),
    filters,
    hosts,
    kind,
    known,
    hasSingles,
    fromClicks,
    scans: scans(),
    countedSince: Math.max(kept, latestClicks(hours, MOST_SCANNED)),
  }
}

/** Whether there are breakdowns: not if they would take single clicks, and there are none. */
export const hasBreakdowns = ({ hasSingles, filters, kind }: Plan) =>
  hasSingles || (filters.length === 0 && (kind === undefined || kind === 'person'))

/** The filter of a plan that rollups answer, which has one at most; null for none. */
export function rollupFilter({ filters, hosts }: Plan): { dimension: Dimension; values: string[] } | null {
  const [filter] = filters
  if (!filter) return null
  const [facet, value] = filter
  return facet === 'source' ? { dimension: 'referrer', values: hosts ?? [] } : { dimension: facet, values: [value] }
}

/**
 * Whether answering a question from rollups reads at most `most` rows of them.
 * @throws TerseError 'validation_failed', 'unavailable'
 */
export async function readsFew(
  db: DatabaseGateway,
  linkIds: readonly bigint[],
  input: StatsInput,
  most: number,
  now: Date,
): Promise<boolean> {
  const known = await hoursWithClicks(db, linkIds)
  if (!known) return true
  const range = rangeOf(spanOf(input, known.first * HOUR, now.getTime()), input.timezone)
  const { from, to } = range
  const compared = comparedWith(input, range)
  const hours = { from: Math.floor(from / HOUR), to: Math.ceil(to / HOUR) }
  const [first, end] = [Math.floor((compared?.from ?? from) / HOUR), Math.ceil((compared?.to ?? to) / HOUR)]
  const totals = `dimension = ${TOTAL} AND span = 1 AND hour >= ${Math.min(first, hours.from)} AND hour < ${Math.max(end, hours.to)}`
  const spans = whereSpans(hours, known)
  const values = spans && `OR (dimension IN (${DIMENSIONS.map(dimensionNumber).join()}) AND (${spans}))`
  // MySQL may think that some thousand ranges cost more than to read the whole table, and does that.
  const beyond = await db.rows<{ hour: number }>(
    `SELECT hour FROM ClickRollup FORCE INDEX (PRIMARY) WHERE linkId IN (?) AND ((${totals}) ${values}) LIMIT 1 OFFSET ${most}`,
    linkIds,
  )
  return beyond.length === 0
}

/** The error on the field that takes single clicks. */
function needsSingles(interval: Interval, filters: [Facet, string][]): TerseError {
  const [facet] = filters.at(-1) ?? []
  return interval === 'minute' || facet === undefined
    ? invalidField('interval', say('api.stats.manyMinutes'))
    : invalidField(facet, say('api.stats.manyFilters'))
}

/** The start of the hour since which there were at most `most` clicks; 0 if there are no more than that. */
function latestClicks(hours: TimeRow[], most: number): number {
  let clicks = 0
  for (const hour of hours.toReversed()) {
    clicks += hour.clicks
    if (clicks > most && clicks > hour.clicks) return hour.at + HALF_HOUR
  }
  return 0
}

/** Rollups have no row for clicks without a UTM parameter. */
const isUncounted = ([facet, value]: [Facet, string]) => value === '' && facet !== 'source' && isGivenOnly(facet)

/** When the range begins, or the first click if that is later, in ms. */
export const firstOf = ({ range, known }: Plan) => Math.max(range.from, known.first * HOUR)

/** The single clicks that a plan counts in some range. */
export function selectionOf(
  { linkIds, filters, hosts, countedSince }: Plan,
  from: number,
  to: number,
  kind?: ClickKind,
): ClickSelection {
  return { linkIds, from: Math.max(from, countedSince), to, filters: Object.fromEntries(filters), hosts, kind }
}
