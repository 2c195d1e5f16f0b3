import type { ClickKind, Dimension } from '@/lib/clicks/dimensions'
import type { Interval } from '@/lib/stats/schemas'
import type { RangeName } from './view'

/** How things are called on the page, in the reader's language where the browser knows the words. */

export const DIMENSION_NAMES: Record<Dimension, string> = {
  referrer: 'Referrer',
  country: 'Country',
  city: 'City',
  browser: 'Browser',
  os: 'System',
  device: 'Device',
  language: 'Language',
  utm_source: 'UTM source',
  utm_medium: 'UTM medium',
  utm_campaign: 'UTM campaign',
  utm_term: 'UTM term',
  utm_content: 'UTM content',
}

/** `short` is part of `long`, so that what is said aloud finds the button. */
export const RANGE_NAMES: Record<RangeName, { short: string; long: string }> = {
  '1h': { short: '1 h', long: 'Last 1 hour' },
  '24h': { short: '24 h', long: 'Last 24 hours' },
  '7d': { short: '7 d', long: 'Last 7 days' },
  '30d': { short: '30 d', long: 'Last 30 days' },
  '90d': { short: '90 d', long: 'Last 90 days' },
  '12mo': { short: '12 mo', long: 'Last 12 months' },
  all: { short: 'All', long: 'All time' },
  custom: { short: 'Custom', long: 'Custom range' },
}

export const INTERVAL_NAMES: Record<Interval, string> = {
  minute: 'Minutes',
  hour: 'Hours',
  day: 'Days',
  week: 'Weeks',
  month: 'Months',
}

export const KIND_NAMES: Record<ClickKind, { one: string; many: string }> = {
  person: { one: 'Person', many: 'People' },
  bot: { one: 'Bot', many: 'Bots' },
  preview: { one: 'Preview', many: 'Previews' },
}

/** Values beyond those that are counted each for itself. */
export const OTHER_NAME = 'Other'

/** A value of a dimension, for reading. */
export function valueName(dimension: Dimension, value: string): string {
  if (value === '') return dimension === 'referrer' ? 'Direct' : 'Unknown'
  if (dimension === 'country') return nameOf(regions, value)
  if (dimension === 'language') return nameOf(languages, value)
  if (dimension === 'device') return value.charAt(0).toUpperCase() + value.slice(1)
  return value
}

const regions = namesOf('region')
const languages = namesOf('language')

function namesOf(type: 'region' | 'language'): Intl.DisplayNames | null {
  try {
    return new Intl.DisplayNames(undefined, { type })
  } catch {
    return null
  }
}

function nameOf(names: Intl.DisplayNames | null, code: string): string {
  try {
    return names?.of(code) ?? code
  } catch {
    // What a client sent as its language need not be one.
    return code
  }
}
