import { DAY } from '@/lib/tools/time'

/** The UTC day of an instant as `yyyyMMdd`. */
export const utcDay = (at: Date): string => at.toISOString().slice(0, 10).replaceAll('-', '')

/** The UTC day that lies so many calendar days before that of an instant: 5 before 1 March are 24 or 25 February. */
export const calendarDaysBefore = (at: Date, days: number): string => utcDay(new Date(at.getTime() - days * DAY))

/** The end of the UTC day of an instant, in ms since 1970. */
export const endOfUtcDay = (at: Date): number => (Math.floor(at.getTime() / DAY) + 1) * DAY
