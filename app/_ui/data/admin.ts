import { z } from 'zod'
import {
  AdminAccountPage,
  AdminAccountView,
  type BanAccount,
  type CreateInvitation,
  InvitationView,
  ResetLink,
} from '@/lib/accounts/schemas'
import { AuditPage } from '@/lib/audit/schemas'
import { type ActOnMatches, BlocklistPage, BlockRuleView, type CreateBlockRule } from '@/lib/blocklist/schemas'
import { DeadLetterPage } from '@/lib/clicks/schemas'
import { DomainView, type UpdateDomain } from '@/lib/domains/schemas'
import { JobView } from '@/lib/jobs/schemas'
import { AdminLinkView } from '@/lib/links/schemas'
import { AdminOverview, SystemView, TestEmail } from '@/lib/overview/schemas'
import { AdminLinkDetail, ReportDetail, ReportPage, type ResolveReport } from '@/lib/reports/schemas'
import type { Rows } from './cursor-page'
import { send } from './http'
import type { AdminBulkAction } from './links'

/** What admins ask of the server: each function is one route under /api/v1/admin. */

type Query = Record<string, string>
type Signal = AbortSignal | undefined

const ROOT = '/api/v1/admin'

const read = <T>(path: string, answer: z.ZodType<T>, signal: Signal) => send('GET', ROOT + path, answer, { signal })
const post = <T>(path: string, answer: z.ZodType<T>, body?: unknown) => send('POST', ROOT + path, answer, { body })
const list = <T>(path: string, query: Query, answer: z.ZodType<Rows<T>>, signal: Signal) =>
  read(`${path}?${new URLSearchParams(query)}`, answer, signal)

/** For routes whose answer says no more than that it was done. */
const Done = z.unknown()

export const getAdminOverview = (days: number, signal?: AbortSignal) => read(`/overview?days=${days}`, AdminOverview, signal)

const Links = z
  .object({ links: z.array(AdminLinkView), nextCursor: z.string().nullable() })
  .transform(({ links, nextCursor }) => ({ rows: links, nextCursor }))

export type LinkAction = AdminBulkAction

export const listAllLinks = (query: Query, signal?: AbortSignal) => list('/links', query, Links, signal)
export const getAdminLink = (id: string, signal?: AbortSignal) => read(`/links/${id}`, AdminLinkDetail, signal)

/** @param reason for a ban: visitors read it */
export const actOnLink = (id: string, action: LinkAction, reason: string) => post(`/links/${id}/${action}`, Done, { reason })

/** Begins a job that does something to all of these links. */
export const startAdminBulk = (action: LinkAction, ids: readonly string[], reason: string) =>
  post('/links/bulk', JobView, { action, ids, reason })

const Accounts = AdminAccountPage.transform((page) => ({
  rows: page.accounts,
  nextCursor: page.nextCursor,
}))

export const listAccounts = (query: Query, signal?: AbortSignal) => list('/accounts', query, Accounts, signal)
export const getAccount = (id: string, signal?: AbortSignal) => read(`/accounts/${id}`, AdminAccountView, signal)
export const setRole = (id: string, role: AdminAccountView['role']) => post(`/accounts/${id}/role`, Done, { role })
export const banAccount = (id: string, ban: z.input<typeof BanAccount>) => post(`/accounts/${id}/ban`, Done, ban)
export const unbanAccount = (id: string) => post(`/accounts/${id}/unban`, Done)
export const signOutEverywhere = (id: string) => post(`/accounts/${id}/sign-out`, Done)
export const makeResetLink = (id: string) => post(`/accounts/${id}/reset`, ResetLink)
export const removeAccount = (id: string, links: 'keep' | 'delete') =>
  send('DELETE', `${ROOT}/accounts/${id}`, Done, { body: { links } })

const Invitations = z.object({ invitations: z.array(InvitationView) })

export const listInvitations = (signal?: AbortSignal) => read('/invitations', Invitations, signal)
export const createInvitation = (body: z.input<typeof CreateInvitation>) => post('/invitations', InvitationView, body)
export const revokeInvitation = (id: string) => send('DELETE', `${ROOT}/invitations/${encodeURIComponent(id)}`, Done, {})

const Reports = ReportPage.transform((page) => ({ rows: page.reports, nextCursor: page.nextCursor }))

export type Resolution = z.input<typeof ResolveReport>

export const listReports = (query: Query, signal?: AbortSignal) => list('/reports', query, Reports, signal)
export const getReport = (id: string, signal?: AbortSignal) => read(`/reports/${id}`, ReportDetail, signal)
export const resolveReport = (id: string, body: Resolution) => post(`/reports/${id}`, Done, body)

const Rules = BlocklistPage.transform((page) => ({ rows: page.rules, nextCursor: page.nextCursor }))

export const listRules = (query: Query, signal?: AbortSignal) => list('/blocklist', query, Rules, signal)
export const createRule = (rule: z.input<typeof CreateBlockRule>) => post('/blocklist', BlockRuleView, rule)
export const removeRule = (id: string) => send('DELETE', `${ROOT}/blocklist/${id}`, Done, {})

/** Begins a job that does something to all links that the rule would have refused. */
export const actOnMatches = (id: string, body: z.input<typeof ActOnMatches>) => post(`/blocklist/${id}/act`, JobView, body)

/** Begins a job that reads a host-file. */
export const importRules = (list: string | File) =>
  send('POST', `${ROOT}/blocklist/import`, JobView, { text: { content: list, type: 'text/plain' }, timeout: 60_000 })

const Domains = z.object({ domains: z.array(DomainView) })

export const listDomains = (signal?: AbortSignal) => read('/domains', Domains, signal)
export const createDomain = (host: string) => post('/domains', DomainView, { host })
export const updateDomain = (id: number, body: z.input<typeof UpdateDomain>) =>
  send('PATCH', `${ROOT}/domains/${id}`, DomainView, { body })
export const verifyDomain = (id: number) => post(`/domains/${id}/verify`, DomainView)
export const removeDomain = (id: number) => send('DELETE', `${ROOT}/domains/${id}`, Done, {})

const Entries = AuditPage.transform((page) => ({ rows: page.entries, nextCursor: page.nextCursor }))

export const listAudit = (query: Query, signal?: AbortSignal) => list('/audit', query, Entries, signal)

/** Asked for every two seconds: an answer that takes longer than a few is as good as none. */
export const getSystem = (signal?: AbortSignal) => send('GET', `${ROOT}/system`, SystemView, { signal, timeout: 5000 })

export const listDeadLetters = (signal?: AbortSignal) => read('/dead-letters', DeadLetterPage, signal)

/** @param ids all there are, where none are named */
export const actOnDeadLetters = (action: 'retry' | 'drop', ids?: readonly string[]) =>
  post(`/dead-letters/${action}`, Done, { ids })

export const sendTestEmail = () => post('/test-email', TestEmail)
export const startRebuild = () => post('/rebuild', JobView)
