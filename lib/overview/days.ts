import { DAY, DAY_HOURS } from '@/lib/tools/time'
import type { Overview } from './schemas'

/** Some days of UTC. */
export interface DayRange {
  /** The first, in days since 1970. */
  first: number
  count: number
}

/** What is counted of a day; `hour` is its first, since 1970. */
export interface CountedDay {
  hour: number
  clicks: number | bigint
  visitors: number | bigint
  /** Those of link previews too. */
  bots: number | bigint
}

/**
 * A sum over rows `r` of ClickRollup. In floating point, exact up to 2^53: its columns cannot be negative, nor can what is left.
 */
export const PEOPLE = 'SUM(r.clicks + 0e0 - r.bots - r.previews)'

/** Each day of a range, the oldest first. */
export const eachDay = <T>({ first, count }: DayRange, of: (day: number) => T): ({ day: string } & T)[] =>
  Array.from({ length: count }, (_, index) => ({
    day: new Date((first + index) * DAY).toISOString().slice(0, 10),
    ...of(first + index),
  }))

/** The clicks of each day, none where nothing was counted. */
export function clicksInDays(days: DayRange, counted: readonly CountedDay[]): Overview['clicksByDay'] {
  const known = new Map(counted.map((row) => [row.hour / DAY_HOURS, row]))
  return eachDay(days, (day) => {
    const row = known.get(day)
    return { count: Number(row?.clicks ?? 0), visitors: Number(row?.visitors ?? 0), bots: Number(row?.bots ?? 0) }
  })
}
