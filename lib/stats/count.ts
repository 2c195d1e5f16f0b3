import type { ClickKind } from '@/lib/clicks/dimensions'
import { HOUR } from '@/lib/tools/time'
import { weekdayAndHour } from './calendar'
import type { Point, Totals } from './schemas'

/** Clicks of one hour or minute. `at` is its middle, ms since 1970 UTC. */
export interface TimeRow extends Totals {
  at: number
}

/** How far the middle of an hour of UTC is from its beginning. */
export const HALF_HOUR = HOUR / 2

/** The rows with the clicks of one kind for all clicks. Only people are visitors. */
export function onlyOf(kind: ClickKind | undefined, rows: TimeRow[]): TimeRow[] {
  if (kind === undefined) return rows
  const clicksOf = (row: TimeRow) =>
    kind === 'bot' ? row.bots : kind === 'preview' ? row.previews : row.clicks - row.bots - row.previews
  return rows.map((row) => ({ ...row, clicks: clicksOf(row), visitors: kind === 'person' ? row.visitors : 0 }))
}

export function totalsOf(rows: TimeRow[]): Totals {
  const sum = { clicks: 0, visitors: 0, bots: 0, previews: 0 }
  for (const row of rows) {
    sum.clicks += row.clicks
    sum.visitors += row.visitors
    sum.bots += row.bots
    sum.previews += row.previews
  }
  return sum
}

/**
 * A point for each interval. A row goes where its middle lies: in zones that are not whole hours ahead of UTC an
 * hour of UTC belongs to two intervals, and this is the one that has more of it.
 */
export function seriesOf(starts: number[], rows: TimeRow[]): Point[] {
  const points = starts.map((start) => ({ at: new Date(start).toISOString(), clicks: 0, visitors: 0 }))
  for (const row of rows) {
    const point = points[indexOf(starts, row.at)]
    if (!point) continue
    point.clicks += row.clicks
    point.visitors += row.visitors
  }
  return points
}

/** The last start at or before `at`. */
export function indexOf(starts: number[], at: number): number {
  let [low, high] = [0, starts.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((starts[middle] ?? 0) <= at) low = middle
    else high = middle
  }
  return low
}

/** Clicks by weekday (from Monday) and hour. */
export function hourOfWeek(rows: TimeRow[], offset: (at: number) => number): number[][] {
  const week = Array.from({ length: 7 }, () => new Array<number>(24).fill(0))
  for (const row of rows) {
    const [weekday, hour] = weekdayAndHour(row.at, offset(row.at))
    const day = week[weekday]
    if (day) day[hour] = (day[hour] ?? 0) + row.clicks
  }
  return week
}
