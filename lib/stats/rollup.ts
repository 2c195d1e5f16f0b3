import { DIMENSIONS, type Dimension, dimensionNumber, OTHER, TOTAL } from '@/lib/clicks/dimensions'
import type { DatabaseGateway } from '@/lib/db/gateway'
import { HOUR } from '@/lib/tools/time'
import { HALF_HOUR, type TimeRow } from './count'
import type { Others, StoredBreakdown } from './schemas'

/** Answers from ClickRollup, whose cost depends on the hours and values of a range, not on its clicks. Hours since 1970 UTC. */

interface Counts {
  clicks: bigint | string | number
  visitors: bigint | string | number
}

/** The hours of a link's first and last clicks; null while it has none. */
export async function hoursWithClicks(db: DatabaseGateway, linkId: bigint): Promise<{ first: number; last: number } | null> {
  const [row] = await db.rows<{ first: number | null; last: number | null }>(
    `SELECT MIN(hour) AS first, MAX(hour) AS last FROM ClickRollup WHERE linkId = ? AND dimension = ${TOTAL} AND span = 1`,
    linkId,
  )
  return row?.first == null || row.last === null ? null : { first: row.first, last: row.last }
}

/** All clicks of a range by hour. */
export async function hourlyTotals(db: DatabaseGateway, linkId: bigint, from: number, to: number): Promise<TimeRow[]> {
  const rows = await db.rows<Counts & { hour: number; bots: bigint; previews: bigint }>(
    `SELECT hour, clicks, visitors, bots, previews FROM ClickRollup
      WHERE linkId = ? AND dimension = ${TOTAL} AND span = 1 AND hour >= ? AND hour < ? ORDER BY hour`,
    ...[linkId, from, to],
  )
  return rows.map(({ hour, clicks, visitors, bots, previews }) => ({
    at: hour * HOUR + HALF_HOUR,
    clicks: Number(clicks),
    visitors: Number(visitors),
    bots: Number(bots),
    previews: Number(previews),
  }))
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
  linkId: bigint,
  filter: { dimension: Dimension; values: string[] },
  from: number,
  to: number,
): Promise<TimeRow[]> {
  const found: TimeRow[] = []
  if (filter.values.length === 0) return found
  const most = Math.min(HOURS, Math.max(1, Math.floor(STEPS / filter.values.length)))
  for (let start = from; start < to; start += most) {
    const hours = Array.from({ length: Math.min(most, to - start) }, (_, index) => start + index)
    const rows = await db.rows<Counts & { hour: number }>(
      `SELECT hour, clicks, visitors FROM ClickRollup
        WHERE linkId = ? AND dimension = ${dimensionNumber(filter.dimension)} AND span = 1 AND hour IN (${hours.join()}) AND value IN (?)`,
      ...[linkId, filter.values],
    )
    for (const { hour, clicks, visitors } of rows) {
      found.push({
        at: hour * HOUR + HALF_HOUR,
        clicks: Number(clicks),
        visitors: Number(visitors),
        bots: 0,
        previews: 0,
      })
    }
  }
  return found
}

/** Asked for side by side, in parts that cost about the same: cities and referrers have by far the most values. */
const PARTS: Dimension[][] = [
  ['city'],
  ['referrer'],
  DIMENSIONS.filter((dimension) => dimension !== 'city' && dimension !== 'referrer'),
]

/** A sum in floating point, exact up to 2^53: half the time of the decimals in which MySQL adds integers. */
const sum = (column: string) => `SUM(${column} + 0e0)`

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
  linkId: bigint,
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
          WHERE linkId = ? AND dimension IN (${part.map(dimensionNumber).join()}) AND (${where})
          GROUP BY dimension, value
       ) AS placed WHERE place <= ? OR value = ? ORDER BY dimension, place`,
      ...[OTHER, linkId, Math.max(...part.map((dimension) => mostRead(dimension, limit))), OTHER],
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

export function emptyBreakdown(): StoredBreakdown {
  return Object.fromEntries(DIMENSIONS.map((dimension) => [dimension, []])) as unknown as StoredBreakdown
}

/** Hosts that clicks of a range came from, the most frequent. */
export async function referrersOf(
  db: DatabaseGateway,
  linkId: bigint,
  range: { from: number; to: number },
  known: { first: number; last: number },
): Promise<string[]> {
  const where = whereSpans(range, known)
  if (where === '') return []
  const rows = await db.rows<{ value: string }>(
    `SELECT value FROM ClickRollup WHERE linkId = ? AND dimension = ${dimensionNumber('referrer')} AND (${where})
      GROUP BY value ORDER BY ${sum('clicks')} DESC LIMIT ${MOST_REFERRERS}`,
    linkId,
  )
  return rows.map(({ value }) => value)
}

/** A range as a condition on ClickRollup; empty where nothing is in it. */
const whereSpans = (range: { from: number; to: number }, known: { first: number; last: number }) =>
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
