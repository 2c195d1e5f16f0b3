import { csvLines as lines } from '@/lib/tools/csv-writer'
import { strip } from '@/lib/tools/strip'
import type { ClickView, Stats } from './schemas'
import { FACETS } from './values'

/** Statistics as CSV (RFC 4180): UTF-8, a header line, lines that end with CR LF. */

const CLICK_HEADER = [
  ...['id', 'at', 'kind', 'country', 'city', 'browser', 'os', 'device', 'language', 'referrer', 'referrer_url', 'user_agent'],
  ...['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content', 'destination'],
]

/** The export of single clicks, a batch at a time. */
export async function* clicksCsv(batches: AsyncIterable<ClickView[]>): AsyncGenerator<string, void> {
  yield lines([CLICK_HEADER])
  for await (const clicks of batches) yield lines(clicks.map(clickRecord))
}

function clickRecord({ utm, ...click }: ClickView): string[] {
  const { id, at, kind, country, city, browser, os, device, language, referrer, referrerUrl, userAgent, destination } = click
  return [
    ...[id, at, kind, country, city, browser, os, device, language, referrer, referrerUrl, userAgent],
    ...[utm.source, utm.medium, utm.campaign, utm.term, utm.content, destination],
  ]
}

/** One table of all that was counted: what of (total, an interval, a dimension), which of these, and how many. */
export function* statsCsv({ totals, series, interval, breakdown, others, conversions }: Stats): Generator<string, void> {
  yield lines([['section', 'value', 'clicks', 'visitors', 'bots', 'previews', 'conversions', 'converted', 'revenue']])
  const { conversions: all = '', converted = '' } = conversions ?? {}
  yield lines([['total', '', totals.clicks, totals.visitors, totals.bots, totals.previews, all, converted, '']])
  const reported = new Map(conversions?.series.map((point) => [point.at, point]))
  yield lines(
    series.map(({ at, clicks, visitors }) => {
      const point = reported.get(at)
      return [interval, at, clicks, visitors, '', '', point?.conversions ?? '', point?.converted ?? '', '']
    }),
  )
  for (const facet of FACETS) {
    const shares = breakdown[facet].map(({ value, clicks, visitors }) => [
      facet,
      value,
      clicks,
      visitors,
      '',
      '',
      ...NO_CONVERSIONS,
    ])
    const rest = facet === 'source' ? undefined : others[facet]
    // Its own section, since a value can be any text.
    if (rest) shares.push([`${facet}_other`, '', rest.clicks, rest.visitors, '', '', ...NO_CONVERSIONS])
    if (shares.length > 0) yield lines(shares)
  }
  if (conversions) yield* conversionsCsv(conversions)
}

const NO_CONVERSIONS = ['', '', '']
const NO_CLICKS = ['', '', '', '']

/** Each currency has a line of its own: what is in different ones is never added up. */
function* conversionsCsv({ revenue, names, destinations }: NonNullable<Stats['conversions']>): Generator<string, void> {
  const money = (section: string, value: string, sums: typeof revenue) =>
    sums.map((sum) => [`${section}_${sum.currency.toLowerCase()}`, value, ...NO_CLICKS, '', '', sum.value])
  const counted = names.map(({ name, conversions }) => ['conversion', name, ...NO_CLICKS, conversions, '', ''])
  const led = destinations.map(({ value, conversions, converted }) => [
    ...['destination_conversions', value, ...NO_CLICKS],
    ...[conversions, converted, ''],
  ])
  const rows = [
    ...money('revenue', '', revenue),
    ...counted,
    ...names.flatMap(({ name, revenue: sums }) => money('conversion_revenue', name, sums)),
    ...led,
    ...destinations.flatMap(({ value, revenue: sums }) => money('destination_revenue', value, sums)),
  ]
  if (rows.length > 0) yield lines(rows)
}

/** A file name that every system takes, from a code that may hold anything. */
export function csvName(code: string, what: 'stats' | 'clicks' | 'history'): string {
  const safe = strip(code.replace(/[^A-Za-z0-9_-]+/g, '-'), '-').slice(0, 60)
  return `${safe || 'link'}-${what}.csv`
}
