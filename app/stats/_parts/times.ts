import type { Format } from '@/lib/i18n/format'
import type { Translator } from '@/lib/i18n/translate'
import type { Stats } from '@/lib/stats/schemas'
import type { Interval } from '@/lib/stats/values'
import { DAY } from '@/lib/tools/time'

/** Times of statistics, in the zone in which they were counted. */

const STYLES: Record<Interval, Intl.DateTimeFormatOptions> = {
  minute: { hour: 'numeric', minute: '2-digit' },
  hour: { weekday: 'short', day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' },
  day: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  week: { day: 'numeric', month: 'short', year: 'numeric' },
  month: { month: 'long', year: 'numeric' },
}

const AXIS_STYLES: Record<Interval, Intl.DateTimeFormatOptions> = {
  minute: { hour: 'numeric', minute: '2-digit' },
  hour: { hour: 'numeric', minute: '2-digit' },
  day: { day: 'numeric', month: 'short' },
  week: { day: 'numeric', month: 'short' },
  month: { month: 'short', year: '2-digit' },
}

export interface TimeNames {
  /** An interval in full. */
  point: (iso: string) => string
  /** Under the axis, where space is short. */
  axis: (iso: string) => string
}

type Times = Pick<Stats, 'interval' | 'timezone' | 'from' | 'to'>

export function timeNames({ interval, timezone, from, to }: Times, format: Format, t: Translator<'stats'>): TimeNames {
  const point = format.dates({ ...STYLES[interval], timeZone: timezone })
  const days = (Date.parse(to) - Date.parse(from)) / DAY
  // Hours of several days are told apart by their days.
  const axisStyle = interval === 'hour' && days > 2 ? AXIS_STYLES.day : AXIS_STYLES[interval]
  const axis = format.dates({ ...axisStyle, timeZone: timezone })
  return {
    point: (iso) => {
      const day = point.format(new Date(iso))
      return interval === 'week' ? t('series.weekOf', { day }) : day
    },
    axis: (iso) => axis.format(new Date(iso)),
  }
}

/** “3 – 9 Nov 2026”, with times where days alone would not tell. */
export function rangeName({ from, to, timezone }: Pick<Stats, 'from' | 'to' | 'timezone'>, format: Format): string {
  const [begin, end] = [new Date(from), new Date(to)]
  const short = end.getTime() - begin.getTime() <= 2 * DAY
  const dates = format.dates({ dateStyle: 'medium', ...(short && { timeStyle: 'short' }), timeZone: timezone })
  try {
    // A range that ends with midnight ends with the day before.
    return dates.formatRange(begin, short ? end : new Date(Math.max(begin.getTime(), end.getTime() - 1)))
  } catch {
    return `${dates.format(begin)} – ${dates.format(end)}`
  }
}

/** Names of the days from Monday. */
export function weekdayNames(style: 'long' | 'short', format: Format): string[] {
  const dates = format.dates({ weekday: style, timeZone: 'UTC' })
  // 5 January 1970 was a Monday.
  return Array.from({ length: 7 }, (_, day) => dates.format(new Date(Date.UTC(1970, 0, 5 + day))))
}

/** Names of the hours from midnight: “14” or “2 PM”. */
export function hourNames(format: Format): string[] {
  const dates = format.dates({ hour: 'numeric', timeZone: 'UTC' })
  return Array.from({ length: 24 }, (_, hour) => dates.format(new Date(Date.UTC(1970, 0, 5, hour))))
}

/** `Europe/Berlin`, for reading. */
export const zoneName = (timezone: string) => timezone.replaceAll('_', ' ')

export const readersTimeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'

/** Name of the cookie by which the server knows the reader's zone when it writes the page. */
export const ZONE_COOKIE = 'time-zone'
