import { wordLocale } from '@/app/_ui/data/locale'
import type { ClickKind } from '@/lib/clicks/dimensions'
import type { Facet, Interval, Stats } from '@/lib/stats/schemas'
import type { RangeName } from './view'

/** How things are called on the page. */

export const FACET_NAMES: Record<Facet, string> = {
  source: 'Source',
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

export const KIND_NAMES: Record<ClickKind, { one: string; many: string; clicks: string }> = {
  person: { one: 'Person', many: 'People', clicks: 'Clicks' },
  bot: { one: 'Bot', many: 'Bots', clicks: 'Bot clicks' },
  preview: { one: 'Link preview', many: 'Link previews', clicks: 'Link previews' },
}

export const CLICK_HINTS: Record<ClickKind, string> = {
  person: 'Each time a person followed this link. Bots and link previews are not counted here.',
  bot: 'Each time a crawler or another program followed this link: it says so itself, or behaves like one.',
  preview: 'Each time a messenger or network fetched this link to show a preview of it.',
}

export const VISITOR_HINT =
  'Different people per day. Someone who clicks twice on one day is one visitor, and on two days two. No IP address or cookie is stored.'

export const FACET_HINTS: Partial<Record<Facet, string>> = {
  source: 'The site or app that people came from. Hosts of one site are counted together: t.co and twitter.com are X.',
  country: 'Found by the network of the visitor when the click happens; the address itself is not stored.',
  browser: 'What browsers say about themselves. iPads that ask for desktop pages count as Macs.',
  language: 'The language that the browser prefers.',
  utm_source: 'Values of UTM parameters that were added to the short link where it was shared.',
}

/** Values beyond those that are counted each for itself. */
export const OTHER_NAME = 'Other'

/** Clicks of values beyond those. Of sources they are those of referrers. */
export const othersOf = (stats: Stats, facet: Facet) => stats.others[facet === 'source' ? 'referrer' : facet]

/** A value, for reading. */
export function valueName(facet: Facet, value: string): string {
  if (value === '') return facet === 'source' || facet === 'referrer' ? 'Direct' : 'Unknown'
  if (facet === 'country') return nameOf(regions, value)
  if (facet === 'language') return nameOf(languages, value)
  if (facet === 'device') return value.charAt(0).toUpperCase() + value.slice(1)
  return value
}

const regions = namesOf('region')
const languages = namesOf('language')

function namesOf(type: 'region' | 'language'): Intl.DisplayNames | null {
  try {
    return new Intl.DisplayNames(wordLocale(), { type })
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
