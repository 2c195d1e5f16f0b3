import { DateTime, IANAZone } from 'luxon'
import { DAY, HOUR, MINUTE } from '@/lib/tools/time'
import type { Interval } from './values'

/** Time zones and calendars. Instants are ms since 1970 UTC throughout. */

/** The longest series that is answered. */
export const MAX_POINTS = 2_000

/** How far apart the clocks of a zone are looked at: no zone changes them twice within so few days. */
const PROBE = 3 * DAY

/**
 * The clocks of a zone. Asking Intl takes some 6 µs, too much for each of thousands of rows or points, so they are looked at once
 * for each few days that someone asks for.
 */
class Clocks {
  private readonly zone: IANAZone
  private readonly looked = new Map<number, number>()
  private readonly changes = new Map<number, number>()

  constructor(timezone: string) {
    this.zone = IANAZone.create(timezone)
  }

  /** How far ahead of UTC they are, in ms. */
  offset(at: number): number {
    const days = Math.floor(at / PROBE)
    const [before, after] = [this.lookAt(days), this.lookAt(days + 1)]
    return before === after || at < this.changeIn(days) ? before : after
  }

  /** The first instant at which they show `local`, as if that were UTC, or later: a midnight may come twice, or never. */
  firstAt(local: number): number {
    // No zone is a day or more from UTC.
    const [before, after] = [this.offset(local - DAY), this.offset(local + DAY)]
    const usual = local - before
    if (before === after) return usual
    const change = this.changeBetween(local - DAY, local + DAY)
    return usual < change ? usual : Math.max(change, local - after)
  }

  private changeBetween(from: number, to: number): number {
    const days = Math.floor(from / PROBE)
    const isHere = this.lookAt(days) !== this.lookAt(days + 1) && this.changeIn(days) >= from
    return this.changeIn(isHere ? days : Math.floor(to / PROBE))
  }

  private lookAt(days: number): number {
    const known = this.looked.get(days)
    if (known !== undefined) return known
    const offset = this.exactly(days * PROBE)
    this.looked.set(days, offset)
    return offset
  }

  /** The first instant, to the second, at which they are set as at the end of these days. */
  private changeIn(days: number): number {
    const known = this.changes.get(days)
    if (known !== undefined) return known
    const after = this.lookAt(days + 1)
    let [low, high] = [(days * PROBE) / 1000, ((days + 1) * PROBE) / 1000]
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (this.exactly(middle * 1000) === after) high = middle
      else low = middle
    }
    this.changes.set(days, high * 1000)
    return high * 1000
  }

  private exactly(at: number): number {
    return this.zone.offset(at) * MINUTE
  }
}

/** A zone's offset from UTC at any instant, in ms. */
export function offsetsOf(timezone: string): (at: number) => number {
  const clocks = new Clocks(timezone)
  return (at) => clocks.offset(at)
}

/**
 * Where the intervals begin that cover a range, in order: the first at or before `from`, the last before `to`.
 * One more than MAX_POINTS when there are too many. Across a change of clocks a day has 23 or 25 hours.
 */
export function intervalStarts(interval: Interval, timezone: string, from: number, to: number): number[] {
  const clocks = new Clocks(timezone)
  const [first, after] = interval === 'minute' ? MINUTES : interval === 'hour' ? hours(clocks) : days(clocks, interval)
  const starts = [first(from)]
  for (let next = after(first(from)); next < to && starts.length <= MAX_POINTS; next = after(next)) starts.push(next)
  return starts
}

/** Where the interval begins that holds an instant, and where the one after that begins. */
type Steps = [first: (at: number) => number, after: (start: number) => number]

// Whatever the zone, its minutes begin with those of UTC.
const MINUTES: Steps = [(at) => Math.floor(at / MINUTE) * MINUTE, (start) => start + MINUTE]

function hours(clocks: Clocks): Steps {
  const floor = (at: number) => Math.floor((at + clocks.offset(at)) / HOUR) * HOUR - clocks.offset(at)
  // Where clocks were set by half an hour, an hour that the clock shows may have begun before they were.
  const after = (start: number) => {
    const next = start + HOUR
    const shown = floor(next)
    return shown > start && clocks.offset(shown) === clocks.offset(next) ? shown : next
  }
  return [floor, after]
}

/** The midnight that begins the day, week (from Monday) or month `count` later, of times of a clock as if they were UTC. */
const MIDNIGHTS = {
  day: (local: number, count: number) => (Math.floor(local / DAY) + count) * DAY,
  // 1 January 1970 was a Thursday.
  week: (local: number, count: number) => (Math.floor((Math.floor(local / DAY) + 3) / 7 + count) * 7 - 3) * DAY,
  month: (local: number, count: number) => {
    const shown = new Date(local)
    return Date.UTC(shown.getUTCFullYear(), shown.getUTCMonth() + count, 1)
  },
} as const

function days(clocks: Clocks, unit: keyof typeof MIDNIGHTS): Steps {
  const midnight = MIDNIGHTS[unit]
  const first = (at: number) => clocks.firstAt(midnight(at + clocks.offset(at), 0))
  const after = (start: number) => {
    const local = start + clocks.offset(start)
    // A day that a zone left out begins and ends at once.
    for (let count = 1; ; count++) {
      const next = clocks.firstAt(midnight(local, count))
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
