import { csvLines as lines } from '@/lib/tools/csv-writer'
import type { ClickView, Stats } from './schemas'
import { FACETS } from './values'

/** Statistics as CSV (RFC 4180): UTF-8, a header line, lines that end with CR LF. */

const CLICK_HEADER = [
  ...['id', 'at', 'kind', 'country', 'city', 'browser', 'os', 'device', 'language', 'referrer', 'referrer_url', 'user_agent'],
  ...['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'],
]

/** The export of single clicks, a batch at a time. */
export async function* clicksCsv(batches: AsyncIterable<ClickView[]>): AsyncGenerator<string, void> {
  yield lines([CLICK_HEADER])
  for await (const clicks of batches) yield lines(clicks.map(clickRecord))
}

function clickRecord({ utm, ...click }: ClickView): string[] {
  const { id, at, kind, country, city, browser, os, device, language, referrer, referrerUrl, userAgent } = click
  return [
    ...[id, at, kind, country, city, browser, os, device, language, referrer, referrerUrl, userAgent],
    ...[utm.source, utm.medium, utm.campaign, utm.term, utm.content],
  ]
}

/** One table of all that was counted: what of (total, an interval, a dimension), which of these, and how many. */
export function* statsCsv({ totals, series, interval, breakdown, others }: Stats): Generator<string, void> {
  yield lines([['section', 'value', 'clicks', 'visitors', 'bots', 'previews']])
  yield lines([['total', '', totals.clicks, totals.visitors, totals.bots, totals.previews]])
  yield lines(series.map(({ at, clicks, visitors }) => [interval, at, clicks, visitors, '', '']))
  for (const facet of FACETS) {
    const shares = breakdown[facet].map(({ value, clicks, visitors }) => [facet, value, clicks, visitors, '', ''])
    const rest = facet === 'source' ? undefined : others[facet]
    // Its own section, since a value can be any text.
    if (rest) shares.push([`${facet}_other`, '', rest.clicks, rest.visitors, '', ''])
    if (shares.length > 0) yield lines(shares)
  }
}

/** A file name that every system takes, from a code that may hold anything. */
export function csvName(code: string, what: 'stats' | 'clicks'): string {
  const safe = code
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
  return `${safe || 'link'}-${what}.csv`
}
