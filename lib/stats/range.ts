import { invalidField } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { DAY, HOUR, MINUTE } from '@/lib/tools/time'
import { intervalStarts, MAX_POINTS, periodBefore, periodOfLastYear } from './calendar'
import type { StatsInput } from './schemas'
import type { Interval } from './values'

/** What is counted, in ms since 1970 UTC: from `from` to before `to`, both on a whole hour (`minute`: a whole minute). */
export interface TimeRange {
  from: number
  to: number
  interval: Interval
  /** Where the intervals of the series begin. */
  starts: number[]
}

const MAX_MINUTES = 6 * HOUR
const AUTOMATIC: [upTo: number, Interval][] = [
  [MAX_MINUTES, 'minute'],
  [3 * DAY, 'hour'],
  [120 * DAY, 'day'],
  [731 * DAY, 'week'],
]
const EARLIEST = Date.UTC(1970, 0, 1)
const LATEST = Date.UTC(2200, 0, 1)

/**
 * The range asked for, and the width of its intervals: whether clicks are cheap enough to count by minutes is the caller's to
 * say.
 */
export function spanOf(input: StatsInput, begin: number, now: number): { from: number; to: number; interval: Interval } {
  const from = input.from?.getTime() ?? begin
  const to = input.to?.getTime() ?? now
  checkOrder(from, to, input.from ? 'from' : 'to')
  const interval = input.interval ?? AUTOMATIC.find(([upTo]) => to - from <= upTo)?.[1] ?? 'month'
  if (interval === 'minute' && to - from > MAX_MINUTES) throw invalidField('interval', say('api.stats.minutes'))
  return { from, to, interval }
}

/** @throws TerseError 'validation_failed' */
export function checkOrder(from: number, to: number, field: string, [first, last] = ['from', 'to']): void {
  if (from < EARLIEST) throw invalidField(first, say('api.stats.early'))
  if (to > LATEST) throw invalidField(last, say('api.stats.late'))
  if (from >= to) throw invalidField(field, say('api.stats.order'))
}

/**
 * Rounds a range outwards to what is counted by. Clicks are kept counted by the hour of UTC, so part of an hour
 * stands for all of it.
 */
export function rangeOf(span: { from: number; to: number; interval: Interval }, timezone: string): TimeRange {
  const unit = span.interval === 'minute' ? MINUTE : HOUR
  const from = Math.floor(span.from / unit) * unit
  const to = Math.ceil(span.to / unit) * unit
  const starts = intervalStarts(span.interval, timezone, from, to)
  if (starts.length > MAX_POINTS) throw invalidField('interval', TOO_MANY)
  return { ...span, from, to, starts }
}

const TOO_MANY = say('api.stats.points', { most: MAX_POINTS })

/**
 * The period that a range is compared with, rounded as the range is; null for none.
 * @throws TerseError 'validation_failed'
 */
export function comparedWith(input: StatsInput, range: TimeRange): Pick<TimeRange, 'from' | 'to' | 'starts'> | null {
  const period = periodOf(input, range)
  if (!period) return null
  const starts = intervalStarts(range.interval, input.timezone, period.from, period.to)
  if (starts.length > MAX_POINTS) throw invalidField('compareTo', TOO_MANY)
  return { ...period, starts }
}

function periodOf(input: StatsInput, { from, to, interval }: TimeRange): { from: number; to: number } | null {
  const { compareFrom, compareTo, compare, timezone } = input
  if (compareFrom || compareTo) {
    if (!compareFrom) throw invalidField('compareFrom', say('api.stats.compareFrom'))
    if (!compareTo) throw invalidField('compareTo', say('api.stats.compareTo'))
    const [first, last] = [compareFrom.getTime(), compareTo.getTime()]
    checkOrder(first, last, 'compareTo', ['compareFrom', 'compareTo'])
    if (interval === 'minute' && last - first > MAX_MINUTES) throw invalidField('compareTo', say('api.stats.minutes'))
    const unit = interval === 'minute' ? MINUTE : HOUR
    return { from: Math.floor(first / unit) * unit, to: Math.ceil(last / unit) * unit }
  }
  if (compare === 'none') return null
  return compare === 'year' ? periodOfLastYear(timezone, from, to) : periodBefore(timezone, from, to)
}
