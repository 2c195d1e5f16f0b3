import { DateTime, IANAZone } from 'luxon'
import { DAY, HOUR, MINUTE } from '@/lib/tools/time'
import type { Interval } from './values'

/** Time zones and calendars. Instants are ms since 1970 UTC throughout. */

/** The longest series that is answered. */
export const MAX_POINTS = 2_000

/** How far apart the clocks of a zone are looked at: no zone changes them twice within so few days. */
const PROBE = 3 * DAY

/**
 * A zone's offset from UTC at any instant of a range, in ms. Asking Intl takes some 6 µs, too much for each of
 * thousands of rows, so the range is cut into the few parts in which the offset stays the same.
 */
export function offsetsOf(timezone: string, from: number, to: number): (at: number) => number {
  const zone = IANAZone.create(timezone)
  const offset = (at: number) => zone.offset(at) * MINUTE
  const changes: { at: number; offset: number }[] = []
  let last = offset(from)
  const first = last
  for (let at = from; at < to; at += PROBE) {
    const end = Math.min(at + PROBE, to)
    const next = offset(end)
    if (next !== last) changes.push({ at: changeWithin(offset, at, end), offset: next })
    last = next
  }
  return (at) => changes.findLast((change) => change.at <= at)?.offset ?? first
}

/** The first instant, to the second, at which the offset is that of `end`. */
function changeWithin(offset: (at: number) => number, start: number, end: number): number {
  const after = offset(end)
  let [low, high] = [Math.floor(start / 1000), Math.ceil(end / 1000)]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offset(middle * 1000) === after) high = middle
    else low = middle
  }
  return high * 1000
}

/**
 * Where the intervals begin that cover a range, in order: the first at or before `from`, the last before `to`.
 * One more than MAX_POINTS when there are too many. Across a change of clocks a day has 23 or 25 hours.
 */
export function intervalStarts(interval: Interval, timezone: string, from: number, to: number): number[] {
  const zone = IANAZone.create(timezone)
  const [first, after] = interval === 'minute' ? MINUTES : interval === 'hour' ? hours(zone) : days(zone, interval)
  const starts = [first(from)]
  for (let next = after(first(from)); next < to && starts.length <= MAX_POINTS; next = after(next)) starts.push(next)
  return starts
}

/** Where the interval begins that holds an instant, and where the one after that begins. */
type Steps = [first: (at: number) => number, after: (start: number) => number]

// Whatever the zone, its minutes begin with those of UTC.
const MINUTES: Steps = [(at) => Math.floor(at / MINUTE) * MINUTE, (start) => start + MINUTE]

function hours(zone: IANAZone): Steps {
  const offset = (at: number) => zone.offset(at) * MINUTE
  const floor = (at: number) => Math.floor((at + offset(at)) / HOUR) * HOUR - offset(at)
  // Where clocks were set by half an hour, an hour that the clock shows may have begun before they were.
  const after = (start: number) => {
    const next = start + HOUR
    const shown = floor(next)
    return shown > start && offset(shown) === offset(next) ? shown : next
  }
  return [floor, after]
}

function days(zone: IANAZone, unit: 'day' | 'week' | 'month'): Steps {
  const first = (at: number) => {
    const start = DateTime.fromMillis(at, { zone }).startOf(unit)
    // Where clocks are set back at one in the night, midnight comes twice: the day begins with the first.
    const before = start.minus({ minutes: 1 })
    return (before.day === start.day ? before.startOf(unit) : start).toMillis()
  }
  const after = (start: number) => {
    const begun = DateTime.fromMillis(start, { zone })
    for (let count = 1; ; count++) {
      const next = first(begun.plus({ [unit]: count }).toMillis())
      if (next > start) return next
    }
  }
  return [first, after]
}

/** The period of equal length before: as many days and hours by the zone's calendar and clocks. */
export function periodBefore(timezone: string, from: number, to: number): { from: number; to: number } {
  const zone = IANAZone.create(timezone)
  const begun = DateTime.fromMillis(from, { zone })
  const { days, milliseconds } = DateTime.fromMillis(to, { zone }).diff(begun, ['days', 'milliseconds'])
  return { from: begun.minus({ days }).minus({ milliseconds }).toMillis(), to: from }
}

/** The same days a year earlier, as many by the calendar. */
export function periodOfLastYear(timezone: string, from: number, to: number): { from: number; to: number } {
  const zone = IANAZone.create(timezone)
  const earlier = (at: number) => DateTime.fromMillis(at, { zone }).minus({ years: 1 }).toMillis()
  return { from: earlier(from), to: earlier(to) }
}

/** Weekday (0: Monday) and hour of an instant whose zone is `offset` ms ahead of UTC. */
export function weekdayAndHour(at: number, offset: number): [weekday: number, hour: number] {
  const hour = Math.floor((at + offset) / HOUR)
  // 1 January 1970 was a Thursday.
  return [(((Math.floor(hour / 24) + 3) % 7) + 7) % 7, ((hour % 24) + 24) % 24]
}
