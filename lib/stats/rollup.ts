import { DIMENSIONS, type Dimension, dimensionNumber, OTHER, TOTAL } from '@/lib/clicks/dimensions'
import type { DatabaseGateway } from '@/lib/db/gateway'
import { HOUR } from '@/lib/tools/time'
import { HALF_HOUR, type TimeRow } from './count'
import type { Others, StoredBreakdown } from './schemas'

/**
 * Answers from ClickRollup, whose cost depends on the hours and values of a range, not on its clicks. Hours since 1970 UTC. What
 * is counted are the rows of one link, or of several together: visitors too are then those of each, added up.
 */

interface Counts {
  clicks: bigint | string | number
  visitors: bigint | string | number
}

/** A sum in floating point, exact up to 2^53: half the time of the decimals in which MySQL adds integers. */
export const sum = (column: string) => `SUM(${column} + 0e0)`

/** The hours of the first and last clicks on some links; null while there are none. */
export async function hoursWithClicks(
  db: DatabaseGateway,
  linkIds: readonly bigint[],
): Promise<{ first: number; last: number } | null> {
  // By link: for each, both servers then go to the two ends of its rows.
  const ends = await db.rows<{ first: number | null; last: number | null }>(
    `SELECT MIN(hour) AS first, MAX(hour) AS last FROM ClickRollup
      WHERE linkId IN (?) AND dimension = ${TOTAL} AND span = 1 GROUP BY linkId`,
    linkIds,
  )
  const given = ends.flatMap(({ first, last }) => (first === null || last === null ? [] : [{ first, last }]))
  if (given.length === 0) return null
  return { first: Math.min(...given.map(({ first }) => first)), last: Math.max(...given.map(({ last }) => last)) }
}

/** All clicks of a range by hour. */
export async function hourlyTotals(
  db: DatabaseGateway,
  linkIds: readonly bigint[],
  from: number,
  to: number,
): Promise<TimeRow[]> {
  const one = linkIds.length === 1
  const counts = ['clicks', 'visitors', 'bots', 'previews'].map((name) => (one ? name : `${sum(name)} AS ${name}`)).join(', ')
  const rows = await db.rows<Counts & { hour: number; bots: bigint | number; previews: bigint | number }>(
    `SELECT hour, ${counts} FROM ClickRollup
      WHERE linkId IN (?) AND dimension = ${TOTAL} AND span = 1 AND hour >= ? AND hour < ? ${one ? '' : 'GROUP BY hour '}ORDER BY hour`,
    ...[linkIds, from, to],
  )
  return rows.map(({ hour, clicks, visitors, bots, previews }) => ({
    at: hour * HOUR + HALF_HOUR,
    clicks: Number(clicks),
    visitors: Number(visitors),
    bots: Number(bots),
    previews: Number(previews),
  }))
}

/** What `hourlyValues` is asked for. */
interface ValueFilter {
  dimension: Dimension
  values: string[]
}

/** Hours named in one statement, */
const HOURS = 2_000
/** and steps down the index that it takes: one for each hour and value. */
const STEPS = 20_000

/**
 * Clicks of people with one of some values of a dimension, by hour. The hours are named one by one: each is then one step
 * down the index, where a range of hours would be read with all the values in it.
 */
export async function hourlyValues(
  db: DatabaseGateway,
  linkIds: readonly bigint[],
  filter: ValueFilter,
  from: number,
  to: number,
): Promise<TimeRow[]> {
  const found: TimeRow[] = []
  const [linkId, ...others] = linkIds
  if (filter.values.length === 0) return found
  if (others.length > 0) return hourlyValuesOfMany(db, linkIds, filter, from, to)
  const most = Math.min(HOURS, Math.max(1, Math.floor(STEPS / filter.values.length)))
  for (let start = from; start < to; start += most) {
    const hours = Array.from({ length: Math.min(most, to - start) }, (_, index) => start + index)
    const rows = await db.rows<Counts & { hour: number }>(
      `SELECT hour, clicks, visitors FROM ClickRollup
        WHERE linkId = ? AND dimension = ${dimensionNumber(filter.dimension)} AND span = 1 AND hour IN (${hours.join()}) AND value IN (?)`,
      ...[linkId, filter.values],
    )
    found.push(...rows.map(peopleOf))
  }
  return found
}

/** The same of several links: only hours in which a link was clicked are looked up. */
async function hourlyValuesOfMany(
  db: DatabaseGateway,
  linkIds: readonly bigint[],
  { dimension, values }: ValueFilter,
  from: number,
  to: number,
): Promise<TimeRow[]> {
  const rows = await db.scan<Counts & { hour: number }>(
    `r.hour AS hour, ${sum('r.clicks')} AS clicks, ${sum('r.visitors')} AS visitors
       FROM ClickRollup AS total STRAIGHT_JOIN ClickRollup AS r
         ON r.linkId = total.linkId AND r.dimension = ${dimensionNumber(dimension)} AND r.span = 1 AND r.hour = total.hour AND r.value IN (?)
      WHERE total.linkId IN (?) AND total.dimension = ${TOTAL} AND total.span = 1 AND total.hour >= ? AND total.hour < ?
      GROUP BY r.hour ORDER BY r.hour`,
    ...[values, linkIds, from, to],
  )
  return rows.map(peopleOf)
}

const peopleOf = ({ hour, clicks, visitors }: Counts & { hour: number }): TimeRow => ({
  at: hour * HOUR + HALF_HOUR,
  clicks: Number(clicks),
  visitors: Number(visitors),
  bots: 0,
  previews: 0,
})

/** Asked for side by side, in parts that cost about the same: cities and referrers have by far the most values. */
const PARTS: Dimension[][] = [
  ['city'],
  ['referrer'],
  DIMENSIONS.filter((dimension) => dimension !== 'city' && dimension !== 'referrer'),
]

/** Referrers that are read, the most frequent: which of them are one source is known here and not to the database. */
const MOST_REFERRERS = 5_000

/** Values that are read of a dimension for so many to be shown. */
export const mostRead = (dimension: Dimension, limit: number) =>
  dimension === 'referrer' ? Math.max(limit, MOST_REFERRERS) : limit

/** The most frequent values of every dimension, and the clicks of those that are not counted each for itself. */
export interface CountedValues {
  breakdown: StoredBreakdown
  others: Others
}

/**
 * The most frequent values of every dimension.
 * @param known hours outside of which there are no clicks: a day that begins or ends outside is as good as whole
 */
export async function rollupBreakdown(
  db: DatabaseGateway,
  linkIds: readonly bigint[],
  range: { from: number; to: number },
  known: { first: number; last: number },
  limit: number,
): Promise<CountedValues> {
  const breakdown = emptyBreakdown()
  const others: Others = {}
  const where = whereSpans(range, known)
  if (where === '') return { breakdown, others }
  const ask = (part: Dimension[]) =>
    db.rows<Counts & { dimension: number; value: string }>(
      `SELECT dimension, value, clicks, visitors FROM (
         SELECT dimension, value, ${sum('clicks')} AS clicks, ${sum('visitors')} AS visitors,
                ROW_NUMBER() OVER (PARTITION BY dimension ORDER BY value = ?, ${sum('clicks')} DESC, value) AS place
           FROM ClickRollup
          WHERE linkId IN (?) AND dimension IN (${part.map(dimensionNumber).join()}) AND (${where})
          GROUP BY dimension, value
       ) AS placed WHERE place <= ? OR value = ? ORDER BY dimension, place`,
      ...[OTHER, linkIds, Math.max(...part.map((dimension) => mostRead(dimension, limit))), OTHER],
    )
  for (const row of (await Promise.all(PARTS.map(ask))).flat()) {
    const dimension = DIMENSIONS[row.dimension - 1]
    if (!dimension) continue
    const counts = { clicks: Number(row.clicks), visitors: Number(row.visitors) }
    if (row.value === OTHER) others[dimension] = counts
    else breakdown[dimension].push({ value: row.value, ...counts })
  }
  return { breakdown, others }
}

/** Whether people were ever led to one of several destinations of a link, of some. */
export async function hasDestinations(db: DatabaseGateway, linkIds: readonly bigint[]): Promise<boolean> {
  const rows = await db.rows(
    `SELECT 1 FROM ClickRollup WHERE linkId IN (?) AND dimension = ${dimensionNumber('destination')} LIMIT 1`,
    linkIds,
  )
  return rows.length > 0
}

export function emptyBreakdown(): StoredBreakdown {
  return Object.fromEntries(DIMENSIONS.map((dimension) => [dimension, []])) as unknown as StoredBreakdown
}

/** Hosts that clicks of a range came from, the most frequent. */
export async function referrersOf(
  db: DatabaseGateway,
  linkIds: readonly bigint[],
  range: { from: number; to: number },
  known: { first: number; last: number },
): Promise<string[]> {
  const where = whereSpans(range, known)
  if (where === '') return []
  const rows = await db.rows<{ value: string }>(
    `SELECT value FROM ClickRollup WHERE linkId IN (?) AND dimension = ${dimensionNumber('referrer')} AND (${where})
      GROUP BY value ORDER BY ${sum('clicks')} DESC LIMIT ${MOST_REFERRERS}`,
    linkIds,
  )
  return rows.map(({ value }) => value)
}

/** A range as a condition on ClickRollup; empty where nothing is in it. */
export const whereSpans = (range: { from: number; to: number }, known: { first: number; last: number }) =>
  spansOf(range, known)
    .map(({ span, from, to }) => `(span = ${span} AND hour >= ${from} AND hour < ${to})`)
    .join(' OR ')

interface Span {
  span: 1 | 24
  from: number
  to: number
}

/** A range as whole days of UTC, and single hours at its edges. */
export function spansOf(range: { from: number; to: number }, known: { first: number; last: number }): Span[] {
  const dayAfter = (hour: number) => Math.ceil(hour / 24) * 24
  const dayBefore = (hour: number) => Math.floor(hour / 24) * 24
  const from = range.from <= known.first ? dayBefore(known.first) : range.from
  const to = range.to > known.last ? dayAfter(known.last + 1) : range.to
  const [firstDay, lastDay] = [dayAfter(from), dayBefore(to)]
  const spans: Span[] =
    firstDay < lastDay
      ? [
          { span: 1, from, to: firstDay },
          { span: 24, from: firstDay, to: lastDay },
          { span: 1, from: lastDay, to },
        ]
      : [{ span: 1, from, to }]
  return spans.filter((part) => part.from < part.to)
}
