import type { ListControl } from '@/app/_ui/data/list-view'
import { HEALTH_FILTERS, type HealthFilter } from '@/lib/links/health'
import { LINK_KINDS, LINK_SORTS, LINK_STATES, type LinkKind, type LinkState } from '@/lib/links/values'
import { DAY } from '@/lib/tools/time'

/** What the list of links shows, as its address says it: it can be shared and goes back with the back button. */
export interface LinksView {
  q: string
  state: LinkState | null
  kind: LinkKind | null
  /** Days on which links were made, as `2026-11-21` in the reader's zone, both included; null: open. */
  from: string | null
  to: string | null
  minClicks: number | null
  maxClicks: number | null
  /** Names of a tag and a folder; null: any. */
  tag: string | null
  folder: string | null
  /** Archived links alone, or with all others; null: without them. */
  archived: 'true' | 'any' | null
  favorite: 'true' | null
  /** What was found of their destinations. */
  health: HealthFilter | null
  sort: (typeof LINK_SORTS)[number]
  /** Where the page begins; null: the first. */
  cursor: string | null
}

export type LinksControl = ListControl<LinksView>

export const EMPTY_VIEW: LinksView = {
  q: '',
  state: null,
  kind: null,
  from: null,
  to: null,
  minClicks: null,
  maxClicks: null,
  tag: null,
  folder: null,
  archived: null,
  favorite: null,
  health: null,
  sort: 'newest',
  cursor: null,
}

/** Whatever cannot be read is left out: an address may have been typed by hand. */
export function parseLinksView(query: URLSearchParams): LinksView {
  return {
    q: (query.get('q') ?? '').trim().slice(0, 200),
    state: LINK_STATES.find((state) => state === query.get('state')) ?? null,
    kind: LINK_KINDS.find((kind) => kind === query.get('kind')) ?? null,
    from: dayOf(query.get('from')),
    to: dayOf(query.get('to')),
    minClicks: countOf(query.get('minClicks')),
    maxClicks: countOf(query.get('maxClicks')),
    tag: query.get('tag')?.slice(0, 200) || null,
    folder: query.get('folder')?.slice(0, 200) || null,
    archived: (['true', 'any'] as const).find((which) => which === query.get('archived')) ?? null,
    favorite: query.get('favorite') === 'true' ? 'true' : null,
    health: HEALTH_FILTERS.find((health) => health === query.get('health')) ?? null,
    sort: LINK_SORTS.find((sort) => sort === query.get('sort')) ?? 'newest',
    cursor: query.get('cursor')?.slice(0, 200) || null,
  }
}

/** What only one's own links are filtered by. */
const FILED = ['tag', 'folder', 'archived', 'favorite', 'health'] as const

/** The query of a view, in one order, so that the same view has one address. */
export function linksQuery(view: LinksView): string {
  const query = new URLSearchParams()
  for (const name of ['q', 'state', 'kind', 'from', 'to', 'minClicks', 'maxClicks', ...FILED, 'sort', 'cursor'] as const) {
    const value = view[name]
    if (value !== null && value !== EMPTY_VIEW[name]) query.set(name, String(value))
  }
  return query.toString()
}

/** The same for the API, which counts in times rather than days. */
export function listQuery({ from, to, ...view }: LinksView): Record<string, string> {
  const query = Object.fromEntries(new URLSearchParams(linksQuery({ ...view, from: null, to: null })))
  if (from) query.from = midnight(from, 0)
  if (to) query.to = midnight(to, 1)
  return query
}

/**
 * What names all links of a list to the server, for a job: the filters of its query, as JSON. Where nothing narrows one's own
 * links, those there are by now. The clock here may be behind; what is created after a job was asked for is none of its.
 */
export function matchingOf({ sort: _, cursor: __, minClicks, maxClicks, ...filters }: Record<string, string>, isOwn: boolean) {
  return {
    ...(isOwn && { to: new Date(Date.now() + DAY).toISOString() }),
    ...filters,
    ...(minClicks && { minClicks: Number(minClicks) }),
    ...(maxClicks && { maxClicks: Number(maxClicks) }),
  }
}

/** Whether anything narrows the list. */
export const isNarrowed = (view: LinksView) => linksQuery({ ...view, sort: 'newest', cursor: null }) !== ''

function midnight(day: string, daysLater: number): string {
  const [year = 1970, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + daysLater).toISOString()
}

function dayOf(text: string | null): string | null {
  return text !== null && /^[12]\d{3}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : null
}

function countOf(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null
}
