/** In ms. */
export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY_HOURS = 24
export const DAY = DAY_HOURS * HOUR

/** The UTC day of an instant as `yyyyMMdd`. */
export const utcDay = (at: Date): string => at.toISOString().slice(0, 10).replaceAll('-', '')

/** The UTC day that lies so many calendar days before that of an instant: 5 before 1 March are 24 or 25 February. */
export const calendarDaysBefore = (at: Date, days: number): string => utcDay(new Date(at.getTime() - days * DAY))

/** The end of the UTC day of an instant, in ms since 1970. */
export const endOfUtcDay = (at: Date): number => (Math.floor(at.getTime() / DAY) + 1) * DAY

const UNITS = [
  ['d', DAY],
  ['h', HOUR],
  ['m', MINUTE],
  ['s', 1_000],
] as const

/** A duration in ms as settings have it: `90d`, `12h`, `0`, or `never` without end. In the largest unit that divides it. */
export function durationText(ms: number): string {
  if (ms === Number.POSITIVE_INFINITY) return 'never'
  const [unit, length] = UNITS.find(([, size]) => ms >= size && ms % size === 0) ?? ['s', 1_000]
  return ms === 0 ? '0' : `${ms / length}${unit}`
}
