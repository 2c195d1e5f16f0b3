import { failed } from '@/lib/forms/failure'
import { say } from '@/lib/i18n/message'
import type { LinkView } from '@/lib/links/schemas'
import type { ClickPage, Note, Stats } from '@/lib/stats/schemas'
import { linkPath } from './api'
import { downloadFile } from './browser'
import { exchange, mapped, type Result, send } from './http'
import { type ClicksRequest, clicksQuery, type StatsRequest, selectionQuery, statsQuery } from './stats-query'
import { write } from './words'

/** A link, and the headers that open its statistics: those of its key, or none where a session does. */
export interface LinkAccess {
  code: string
  domain: string
  headers: Record<string, string>
}

export const EXPORTS = ['stats', 'clicks'] as const
export type Export = (typeof EXPORTS)[number]

/** Millions of clicks take a while to be written down. */
const EXPORT_TIMEOUT_MS = 600_000

export const getOpenLink = (access: LinkAccess, signal?: AbortSignal) =>
  send<LinkView>('GET', pathOf(access, ''), { headers: access.headers, signal })

export const getStats = (access: LinkAccess, request: StatsRequest, signal?: AbortSignal) =>
  send<Stats>('GET', pathOf(access, '/stats', statsQuery(request)), { headers: access.headers, signal })

export const getClicks = (access: LinkAccess, request: ClicksRequest, signal?: AbortSignal) =>
  send<ClickPage>('GET', pathOf(access, '/clicks', clicksQuery(request)), { headers: access.headers, signal })

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
