import type { z } from 'zod'
import type { AdminAccountView, BanAccount, CreateInvitation, InvitationView, ResetLink } from '@/lib/accounts/schemas'
import type { AuditView } from '@/lib/audit/schemas'
import type { ActOnMatches, BlockRuleView, CreateBlockRule } from '@/lib/blocklist/schemas'
import type { ThreatListView } from '@/lib/blocklist/threat-list'
import type { DeadLetterPage } from '@/lib/clicks/schemas'
import type { AppFilesView } from '@/lib/domains/app-files-schema'
import type { ChangeCodeCase, DomainView, UpdateDomain } from '@/lib/domains/schemas'
import type { JobView } from '@/lib/jobs/schemas'
import type { AdminLinkView, LinkTotal } from '@/lib/links/schemas'
import type { AdminOverview, SystemView, TestEmail } from '@/lib/overview/schemas'
import type { AdminLinkDetail, ReportDetail, ReportView, ResolveReport } from '@/lib/reports/schemas'
import type { Rows } from './cursor-page'
import { mapped, type Result, send } from './http'
import { type AdminBulkAction, type BulkExtra, COUNT, totalOf, type WhichLinks } from './links'
import { saveFile } from './save-file'

/** What admins ask of the server: each function is one route under /api/v1/admin. */

type Query = Record<string, string>
type Signal = AbortSignal | undefined

const ROOT = '/api/v1/admin'

const read = <T>(path: string, signal: Signal) => send<T>('GET', ROOT + path, { signal })
const post = <T>(path: string, body?: unknown) => send<T>('POST', ROOT + path, { body })

/** A page of a list. @param name what its rows are called in the answer */
async function list<T>(path: string, name: string, query: Query, signal: Signal): Promise<Result<Rows<T>>> {
  const answer = await read<{ nextCursor: string | null }>(`${path}?${new URLSearchParams(query)}`, signal)
  return mapped(answer, (page) => ({ rows: (page as unknown as Record<string, T[]>)[name] ?? [], nextCursor: page.nextCursor }))
}

export const getAdminOverview = (days: number, signal?: AbortSignal) => read<AdminOverview>(`/overview?days=${days}`, signal)

export type LinkAction = AdminBulkAction

export const listAllLinks = (query: Query, signal?: AbortSignal) => list<AdminLinkView>('/links', 'links', query, signal)
export const countAllLinks = async (query: Query, signal?: AbortSignal) =>
  mapped(await read<{ total: LinkTotal }>(`/links?${new URLSearchParams({ ...query, ...COUNT })}`, signal), totalOf)
export const getAdminLink = (id: string, signal?: AbortSignal) => read<z.infer<typeof AdminLinkDetail>>(`/links/${id}`, signal)

/** @param reason for a ban: visitors read it */
export const actOnLink = (id: string, action: LinkAction, reason: string) => post<unknown>(`/links/${id}/${action}`, { reason })

/** Everyone’s links, as a file. */
export const exportAllLinks = (query: URLSearchParams) => saveFile(`${ROOT}/export?${query}`)

/** Begins a job that does something to all of these links. */
export const startAdminBulk = (action: LinkAction, which: WhichLinks, { reason = '' }: BulkExtra) =>
  post<JobView>('/links/bulk', { action, ...which, reason })

export const listAccounts = (query: Query, signal?: AbortSignal) => list<AdminAccountView>('/accounts', 'accounts', query, signal)
export const getAccount = (id: string, signal?: AbortSignal) => read<AdminAccountView>(`/accounts/${id}`, signal)
export const setRole = (id: string, role: AdminAccountView['role']) => post<unknown>(`/accounts/${id}/role`, { role })
export const banAccount = (id: string, ban: z.input<typeof BanAccount>) => post<unknown>(`/accounts/${id}/ban`, ban)
export const unbanAccount = (id: string) => post<unknown>(`/accounts/${id}/unban`)
export const signOutEverywhere = (id: string) => post<unknown>(`/accounts/${id}/sign-out`)
export const makeResetLink = (id: string) => post<z.infer<typeof ResetLink>>(`/accounts/${id}/reset`)
export const removeAccount = (id: string, links: 'keep' | 'delete') =>
  send<unknown>('DELETE', `${ROOT}/accounts/${id}`, { body: { links } })

export const banUsername = (username: string, reason: string) => post<unknown>('/usernames/ban', { username, reason })
export const unbanUsername = (username: string) => post<unknown>('/usernames/unban', { username })

export const listInvitations = (signal?: AbortSignal) => read<{ invitations: InvitationView[] }>('/invitations', signal)
export const createInvitation = (body: z.input<typeof CreateInvitation>) => post<InvitationView>('/invitations', body)
export const revokeInvitation = (id: string) => send<unknown>('DELETE', `${ROOT}/invitations/${encodeURIComponent(id)}`)

export type Resolution = z.input<typeof ResolveReport>

export const listReports = (query: Query, signal?: AbortSignal) => list<ReportView>('/reports', 'reports', query, signal)
export const getReport = (id: string, signal?: AbortSignal) => read<z.infer<typeof ReportDetail>>(`/reports/${id}`, signal)
export const resolveReport = (id: string, body: Resolution) => post<unknown>(`/reports/${id}`, body)

export const listRules = (query: Query, signal?: AbortSignal) => list<BlockRuleView>('/blocklist', 'rules', query, signal)
export const createRule = (rule: z.input<typeof CreateBlockRule>) => post<BlockRuleView>('/blocklist', rule)
export const removeRule = (id: string) => send<unknown>('DELETE', `${ROOT}/blocklist/${id}`)

/** Begins a job that does something to all links that the rule would have refused. */
export const actOnMatches = (id: string, body: z.input<typeof ActOnMatches>) => post<JobView>(`/blocklist/${id}/act`, body)

/** Begins a job that reads a host-file. */
export const importRules = (list: string | File) =>
  send<JobView>('POST', `${ROOT}/blocklist/import`, { text: { content: list, type: 'text/plain' }, timeout: 60_000 })

export const getThreats = (signal?: AbortSignal) => read<ThreatListView>('/threats', signal)
export const replaceThreats = (list: File) =>
  send<ThreatListView>('PUT', `${ROOT}/threats`, { text: { content: list, type: 'text/plain' }, timeout: 120_000 })
export const editThreats = (pauses: boolean) => send<ThreatListView>('PATCH', `${ROOT}/threats`, { body: { pauses } })
export const removeThreats = () => send<unknown>('DELETE', `${ROOT}/threats`)

export const listDomains = (signal?: AbortSignal) => read<{ domains: DomainView[] }>('/domains', signal)
export const createDomain = (host: string) => post<DomainView>('/domains', { host })
export const updateDomain = (id: number, body: z.input<typeof UpdateDomain>) =>
  send<DomainView>('PATCH', `${ROOT}/domains/${id}`, { body })
export const verifyDomain = (id: number) => post<DomainView>(`/domains/${id}/verify`)
export const readAppFiles = (id: number, signal?: AbortSignal) => read<AppFilesView>(`/domains/${id}/app-files`, signal)
export const updateAppFiles = (id: number, body: object) =>
  send<AppFilesView>('PATCH', `${ROOT}/domains/${id}/app-files`, { body })
export const changeCodeCase = (id: number, codeCase: z.input<typeof ChangeCodeCase>['codeCase']) =>
  post<JobView>(`/domains/${id}/code-case`, { codeCase })
export const removeDomain = (id: number) => send<unknown>('DELETE', `${ROOT}/domains/${id}`)

export const listAudit = (query: Query, signal?: AbortSignal) => list<AuditView>('/audit', 'entries', query, signal)

/** Asked for every two seconds: an answer that takes longer than a few is as good as none. */
export const getSystem = (signal?: AbortSignal) => send<SystemView>('GET', `${ROOT}/system`, { signal, timeout: 5000 })

export const listDeadLetters = (signal?: AbortSignal) => read<z.infer<typeof DeadLetterPage>>('/dead-letters', signal)

/** @param ids all there are, where none are named */
export const actOnDeadLetters = (action: 'retry' | 'drop', ids?: readonly string[]) =>
  post<unknown>(`/dead-letters/${action}`, { ids })

export const sendTestEmail = () => post<TestEmail>('/test-email')
export const startRebuild = () => post<JobView>('/rebuild')
