import type { ClickKind } from '@/lib/clicks/dimensions'
import { type Comparison, FACETS, type Filters, type Interval } from '@/lib/stats/values'

/** What the API is asked about the clicks of a link, in a browser and by the server that writes the page. */

/** Which clicks. Times in ISO; `null`: from the first click, or until now. */
export interface ClickSelection {
  from: string | null
  to: string | null
  filters: Filters
  kind: ClickKind
}

/** What a range is compared with: a period relative to it, or one of its own, in ISO times. */
export type Compared = Comparison | { from: string; to: string }

export interface StatsRequest extends ClickSelection {
  interval: Interval | null
  timezone: string
  compare: Compared
  /** Values in each breakdown. */
  limit: number
}

export interface ClicksRequest extends ClickSelection {
  cursor: string | null
  limit: number
}

export function statsQuery(request: StatsRequest): Record<string, string> {
  const { interval, timezone, limit, compare } = request
  const period: Record<string, string> =
    typeof compare === 'string' ? { compare } : { compareFrom: compare.from, compareTo: compare.to }
  return { ...selectionQuery(request), ...period, ...(interval && { interval }), timezone, limit: String(limit) }
}

export function selectionQuery({ from, to, filters, kind }: ClickSelection): Record<string, string> {
  const query: Record<string, string> = { ...(from && { from }), ...(to && { to }), kind }
  for (const facet of FACETS) {
    const value = filters[facet]
    // An empty value is one: what is not known.
    if (value !== undefined) query[facet] = value
  }
  return query
}

export const clicksQuery = ({ cursor, limit, ...selection }: ClicksRequest): Record<string, string> => ({
  ...selectionQuery(selection),
  ...(cursor && { cursor }),
  limit: String(limit),
})
