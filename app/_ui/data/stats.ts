import type { ClickKind } from '@/lib/clicks/dimensions'
import { failed } from '@/lib/forms/failure'
import { say } from '@/lib/i18n/message'
import type { LinkView } from '@/lib/links/schemas'
import type { ClickPage, Note, Stats } from '@/lib/stats/schemas'
import { type Comparison, FACETS, type Filters, type Interval } from '@/lib/stats/values'
import { linkPath } from './api'
import { downloadFile } from './browser'
import { exchange, mapped, type Result, send } from './http'
import { write } from './words'

/** A link, and the headers that open its statistics: those of its key, or none where a session does. */
export interface LinkAccess {
  code: string
  domain: string
  headers: Record<string, string>
}

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

export const EXPORTS = ['stats', 'clicks'] as const
export type Export = (typeof EXPORTS)[number]

/** Millions of clicks take a while to be written down. */
const EXPORT_TIMEOUT_MS = 600_000

export const getOpenLink = (access: LinkAccess, signal?: AbortSignal) =>
  send<LinkView>('GET', pathOf(access, ''), { headers: access.headers, signal })

export const getStats = (access: LinkAccess, request: StatsRequest, signal?: AbortSignal) =>
  send<Stats>('GET', pathOf(access, '/stats', statsQuery(request)), { headers: access.headers, signal })

export function getClicks(access: LinkAccess, request: ClicksRequest, signal?: AbortSignal): Promise<Result<ClickPage>> {
  const { cursor, limit } = request
  const query = { ...selectionQuery(request), ...(cursor && { cursor }), limit: String(limit) }
  return send('GET', pathOf(access, '/clicks', query), { headers: access.headers, signal })
}

export async function getNotes(access: LinkAccess, signal?: AbortSignal): Promise<Result<Note[]>> {
  const answer = await send<{ notes: Note[] }>('GET', pathOf(access, '/notes'), { headers: access.headers, signal })
  return mapped(answer, ({ notes }) => notes)
}

export function addNote(access: LinkAccess, note: { text: string; at?: string }): Promise<Result<Note>> {
  return send('POST', pathOf(access, '/notes'), { headers: access.headers, body: note })
}

export function removeNote(access: LinkAccess, id: string): Promise<Result<undefined>> {
  return send('DELETE', pathOf(access, `/notes/${id}`), { headers: access.headers })
}

/** Fetches a table with the headers that a plain link could not send, and saves it as a file. */
export async function saveExport(access: LinkAccess, kind: Export, request: StatsRequest): Promise<Result<null>> {
  const query = kind === 'stats' ? statsQuery({ ...request, limit: 1000 }) : selectionQuery(request)
  const answer = await exchange('GET', pathOf(access, `/${kind}.csv`, query), {
    headers: access.headers,
    timeout: EXPORT_TIMEOUT_MS,
  })
  if (!answer.ok) return answer
  try {
    downloadFile(`${kind}-${access.code.replaceAll('/', '-')}.csv`, await answer.value.blob())
    return { ok: true, value: null }
  } catch {
    return failed('network', write(say('forms.fileBroken')))
  }
}

export const pathOf = (access: LinkAccess, action: string, query: Record<string, string> = {}) =>
  linkPath(access, action, { domain: access.domain, ...query })

function statsQuery(request: StatsRequest): Record<string, string> {
  const { interval, timezone, limit, compare } = request
  const period: Record<string, string> =
    typeof compare === 'string' ? { compare } : { compareFrom: compare.from, compareTo: compare.to }
  return { ...selectionQuery(request), ...period, ...(interval && { interval }), timezone, limit: String(limit) }
}

function selectionQuery({ from, to, filters, kind }: ClickSelection): Record<string, string> {
  const query: Record<string, string> = { ...(from && { from }), ...(to && { to }), kind }
  for (const facet of FACETS) {
    const value = filters[facet]
    // An empty value is one: what is not known.
    if (value !== undefined) query[facet] = value
  }
  return query
}
