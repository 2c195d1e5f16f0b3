import { failed } from '@/lib/forms/failure'
import { say } from '@/lib/i18n/message'
import type { LinkView } from '@/lib/links/schemas'
import type { ScopeClickPage, ScopeCounting, ScopeStats } from '@/lib/scopes/schemas'
import type { SharedAbout, SharedStats } from '@/lib/shares/schemas'
import { PASS_HEADER } from '@/lib/shares/values'
import type { ClickPage, Note, Stats } from '@/lib/stats/schemas'
import { linkPath } from './api'
import { mapped, type Result, send } from './http'
import { saveFile } from './save-file'
import { type ClicksRequest, clicksQuery, type StatsRequest, selectionQuery, statsQuery } from './stats-query'
import { write } from './words'

/** A link, and the headers that open its statistics: those of its key, or none where a session does. */
export interface LinkAccess {
  code: string
  domain: string
  headers: Record<string, string>
}

/** Links of the account that are counted together: those with a tag, in a folder, or on a domain; by none of these all. */
export interface ScopeAccess {
  scope: { tag?: string; folder?: string; domain?: string }
}

/** Statistics that someone shared: by their token, and what the password gave, if there is one. */
export interface SharedAccess {
  shared: string
  pass: string | null
}

/** What statistics are about. */
export type StatsAccess = LinkAccess | ScopeAccess | SharedAccess

export const EXPORTS = ['stats', 'clicks'] as const
export type Export = (typeof EXPORTS)[number]

export const getOpenLink = (access: LinkAccess, signal?: AbortSignal) =>
  send<LinkView>('GET', pathOf(access, ''), { headers: access.headers, signal })

export async function getStats(access: StatsAccess, request: StatsRequest, signal?: AbortSignal): Promise<Result<Stats>> {
  if ('code' in access)
    return send<Stats>('GET', pathOf(access, '/stats', statsQuery(request)), { headers: access.headers, signal })
  const answer = await ('shared' in access ? getSharedStats(access, request, signal) : getScopeStats(access, request, signal))
  if (!answer.ok) return answer
  const { value } = answer
  return 'counted' in value ? failed('unavailable', write(say('forms.counting'))) : { ok: true, value }
}

/** Numbers, or how far they are where they are counted for the first time. */
export const getScopeStats = ({ scope }: ScopeAccess, request: StatsRequest, signal?: AbortSignal) =>
  send<ScopeStats | ScopeCounting>('GET', `/api/v1/stats?${new URLSearchParams({ ...scope, ...statsQuery(request) })}`, {
    signal,
  })

const sharedPath = (token: string) => `/api/v1/shared/${encodeURIComponent(token)}`
const passHeader = ({ pass }: Pick<SharedAccess, 'pass'>): Record<string, string> =>
  pass === null ? {} : { [PASS_HEADER]: pass }

export const getShared = (access: SharedAccess, signal?: AbortSignal) =>
  send<SharedAbout>('GET', sharedPath(access.shared), { headers: passHeader(access), signal })

export const unlockShared = (token: string, password: string) =>
  send<{ pass: string }>('POST', `${sharedPath(token)}/unlock`, { body: { password } })

export const getSharedStats = (access: SharedAccess, request: StatsRequest, signal?: AbortSignal) =>
  send<SharedStats | ScopeCounting>('GET', `${sharedPath(access.shared)}/stats?${new URLSearchParams(statsQuery(request))}`, {
    headers: passHeader(access),
    signal,
  })

/** Where a part of the statistics is, and the headers that open it. */
export const partOf = (
  access: LinkAccess | ScopeAccess,
  part: '/clicks' | '/live' | '/notes',
  query: Record<string, string> = {},
): { path: string; headers: Record<string, string> } =>
  'code' in access
    ? { path: pathOf(access, part, query), headers: access.headers }
    : { path: scopePath(access, part, query), headers: {} }

/** Single clicks; of several links each says which it is of. */
export function getClicks(access: LinkAccess | ScopeAccess, request: ClicksRequest, signal?: AbortSignal) {
  const { path, headers } = partOf(access, '/clicks', clicksQuery(request))
  return send<ClickPage | ScopeClickPage>('GET', path, { headers, signal })
}

/** A note; of several links each says which it is of. */
export type NoteOf = Note & { shortUrl?: string }

export async function getNotes(access: LinkAccess | ScopeAccess, signal?: AbortSignal): Promise<Result<NoteOf[]>> {
  const { path, headers } = partOf(access, '/notes')
  const answer = await send<{ notes: NoteOf[] }>('GET', path, { headers, signal })
  return mapped(answer, ({ notes }) => notes)
}

export function addNote(access: LinkAccess, note: { text: string; at?: string }): Promise<Result<Note>> {
  return send('POST', pathOf(access, '/notes'), { headers: access.headers, body: note })
}

export function removeNote(access: LinkAccess, id: string): Promise<Result<undefined>> {
  return send('DELETE', pathOf(access, `/notes/${id}`), { headers: access.headers })
}

/** Fetches a table with the headers that a plain link could not send, and saves it as a file. */
export function saveExport(access: LinkAccess | ScopeAccess, kind: Export, request: StatsRequest): Promise<Result<null>> {
  const query = kind === 'stats' ? statsQuery({ ...request, limit: 1000 }) : selectionQuery(request)
  const [path, headers, name] =
    'code' in access
      ? [pathOf(access, `/${kind}.csv`, query), access.headers, access.code.replaceAll('/', '-')]
      : [scopePath(access, `/${kind}.csv`, query), {}, Object.values(access.scope)[0] ?? 'all']
  return saveFile(path, { headers, name: `${kind}-${name}.csv` })
}

const scopePath = ({ scope }: ScopeAccess, action: string, query: Record<string, string> = {}) =>
  `/api/v1${action}?${new URLSearchParams({ ...scope, ...query })}`

export const pathOf = (access: LinkAccess, action: string, query: Record<string, string> = {}) =>
  linkPath(access, action, { domain: access.domain, ...query })
