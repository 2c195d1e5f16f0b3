import type { ClickSelection, Compared } from '@/app/_ui/data/stats-query'
import { CLICK_KINDS, type ClickKind } from '@/lib/clicks/dimensions'
import { COMPARISONS, FACETS, type Filters, INTERVALS, type Interval } from '@/lib/stats/values'
import { DAY, HOUR, MINUTE } from '@/lib/tools/time'

/** What the page shows, as its address says it: everything here can be shared and goes back with the back button. */
export interface View {
  range: RangeName
  /** ISO times of a custom range; null: open. */
  from: string | null
  to: string | null
  /** null: whatever fits the range. */
  interval: Interval | null
  /** What the range is compared with. */
  compare: Compared
  filters: Filters
  /** Whose clicks. */
  kind: ClickKind
}

export const PRESETS = ['1h', '24h', '7d', '30d', '90d', '12mo', 'all'] as const
export type Preset = (typeof PRESETS)[number]
export type RangeName = Preset | 'custom'

export const DEFAULT_RANGE: Preset = '30d'
const DEFAULT_COMPARISON = 'previous'
export const DEFAULT_KIND: ClickKind = 'person'

/** A view that every link can answer: for an address that asks for what there cannot be. */
export const PLAIN_VIEW: Pick<View, 'range' | 'from' | 'to' | 'interval' | 'filters' | 'kind'> = {
  range: DEFAULT_RANGE,
  from: null,
  to: null,
  interval: null,
  filters: {},
  kind: DEFAULT_KIND,
}

/** Whatever cannot be read is left out: an address may have been typed by hand. */
export function parseView(query: URLSearchParams): View {
  const from = isoOf(query.get('from'))
  const to = isoOf(query.get('to'))
  const given = query.get('range')
  const range: RangeName = from || to ? 'custom' : (PRESETS.find((preset) => preset === given) ?? DEFAULT_RANGE)
  const interval = INTERVALS.find((it) => it === query.get('interval')) ?? null
  return { range, from, to, interval, compare: comparedOf(query), ...filtersOf(query) }
}

/** The part of a view that tells which clicks, whenever they were: what a segment keeps. */
export function filtersOf(query: URLSearchParams): Pick<View, 'filters' | 'kind'> {
  const filters: Filters = {}
  for (const facet of FACETS) {
    const value = query.get(facet)
    if (value !== null && value.length <= 255) filters[facet] = value
  }
  return { filters, kind: CLICK_KINDS.find((it) => it === query.get('kind')) ?? DEFAULT_KIND }
}

/** The same as a query, in one order. */
export function filtersQuery({ filters, kind }: Pick<View, 'filters' | 'kind'>): string {
  const query = new URLSearchParams()
  for (const facet of FACETS) {
    const value = filters[facet]
    if (value !== undefined) query.set(facet, value)
  }
  if (kind !== DEFAULT_KIND) query.set('kind', kind)
  return query.toString()
}

function comparedOf(query: URLSearchParams): Compared {
  const [from, to] = [isoOf(query.get('compareFrom')), isoOf(query.get('compareTo'))]
  if (from && to) return { from, to }
  return COMPARISONS.find((it) => it === query.get('compare')) ?? DEFAULT_COMPARISON
}

/** What the address says of which links these are. */
export const subjectOf = (query: URLSearchParams): Record<string, string> =>
  Object.fromEntries(
    ['domain', 'tag', 'folder', 'share'].flatMap((name) => (query.has(name) ? [[name, query.get(name) ?? '']] : [])),
  )

/** The query of a view, in one order, so that the same view has one address. */
export function viewQuery(view: View, subject: Record<string, string>): string {
  const query = new URLSearchParams(subject)
  if (view.range === 'custom') {
    if (view.from) query.set('from', view.from)
    if (view.to) query.set('to', view.to)
  } else if (view.range !== DEFAULT_RANGE) query.set('range', view.range)
  if (view.interval) query.set('interval', view.interval)
  const { compare } = view
  if (typeof compare === 'object') {
    query.set('compareFrom', compare.from)
    query.set('compareTo', compare.to)
  } else if (compare !== DEFAULT_COMPARISON) query.set('compare', compare)
  return [query.toString(), filtersQuery(view)].filter(Boolean).join('&')
}

/** The clock and calendar of a place; months are numbered from 0, and a day may be 0 or less: one of the month before. */
export interface Clock {
  read(at: Date): [year: number, month: number, day: number, hour: number]
  at(year: number, month: number, day: number, hour: number): Date
}

/** Those of this process; in a browser, of its reader. */
const HERE: Clock = {
  read: (at) => [at.getFullYear(), at.getMonth(), at.getDate(), at.getHours()],
  at: (year, month, day, hour) => new Date(year, month, day, hour),
}

/** The clicks of a view, as of now. */
export function selectionOf(view: View, clock = HERE, now = new Date()): ClickSelection {
  const { filters, kind } = view
  if (view.range === 'custom') return { from: view.from, to: view.to, filters, kind }
  return { from: startOf(view.range, now, clock)?.toISOString() ?? null, to: null, filters, kind }
}

/**
 * Where a range begins, in the reader's zone: with a whole minute, hour, day or month, so that the first
 * column of the chart stands for as much time as the others.
 */
function startOf(preset: Preset, now: Date, clock: Clock): Date | null {
  const [year, month, day, hour] = clock.read(now)
  switch (preset) {
    case '1h':
      return new Date(Math.floor(now.getTime() / MINUTE) * MINUTE - 59 * MINUTE)
    case '24h':
      // Not by the clock's hours: there are 25 of them on one day of the year.
      return new Date(clock.at(year, month, day, hour).getTime() - 23 * HOUR)
    case '7d':
      return clock.at(year, month, day - 6, 0)
    case '30d':
      return clock.at(year, month, day - 29, 0)
    case '90d':
      return clock.at(year, month, day - 89, 0)
    case '12mo':
      return clock.at(year, month - 11, 1, 0)
    case 'all':
      return null
  }
}

/** The widths of a chart that are neither a handful of points nor thousands of them. */
export function intervalsFor(from: string, to: string): Interval[] {
  const span = Date.parse(to) - Date.parse(from)
  const fits: Record<Interval, boolean> = {
    minute: span <= 6 * HOUR,
    hour: span > 2 * HOUR && span <= 31 * DAY,
    day: span > 2 * DAY && span <= 3 * 366 * DAY,
    week: span > 14 * DAY,
    month: span > 60 * DAY,
  }
  return INTERVALS.filter((interval) => fits[interval])
}

function isoOf(text: string | null): string | null {
  const time = text ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}
