import type { JobView } from '@/lib/jobs/schemas'
import type { Labels, LabelView } from '@/lib/labels/schemas'
import type { AdminBulkLinks } from '@/lib/links/bulk-schemas'
import type { LinkTotal, LinkView, Sparklines } from '@/lib/links/schemas'
import type { BULK_ACTIONS, FilingAction } from '@/lib/links/values'
import type { Rows } from './cursor-page'
import { mapped, type Result, send } from './http'

export type AdminBulkAction = AdminBulkLinks['action']
export type AnyBulkAction = AdminBulkAction | FilingAction

/** What an action takes besides links: a ban its reason, filing its tags or folder. */
export interface BulkExtra {
  reason?: string
  tags?: readonly string[]
  folder?: string | null
}

/** Links of the account that is signed in. */
export async function listLinks(query: Record<string, string>, signal?: AbortSignal): Promise<Result<Rows<LinkView>>> {
  const path = `/api/v1/links?${new URLSearchParams(query)}`
  const answer = await send<{ links: LinkView[]; nextCursor: string | null }>('GET', path, { signal })
  return mapped(answer, ({ links, nextCursor }) => ({ rows: links, nextCursor }))
}
export const getSparklines = (ids: readonly string[], signal?: AbortSignal) =>
  send<Sparklines>('GET', `/api/v1/links/sparklines?ids=${ids.join(',')}`, { signal })

/** What asks a list for its total, and for hardly more. */
export const COUNT = { limit: '1', total: 'true' }
export const totalOf = ({ total }: { total: LinkTotal }) => total

/** How many links of the account match. */
export async function countLinks(query: Record<string, string>, signal?: AbortSignal): Promise<Result<LinkTotal>> {
  const path = `/api/v1/links?${new URLSearchParams({ ...query, ...COUNT })}`
  return mapped(await send<{ total: LinkTotal }>('GET', path, { signal }), totalOf)
}

/** Which links a job is about: these, all that match, or those that another job deleted. */
export type WhichLinks = { ids: readonly string[] } | { matching: Record<string, unknown> } | { deletedBy: string }

/** Begins a job that does something to all of these links. */
export const startBulk = (action: (typeof BULK_ACTIONS)[number] | FilingAction, which: WhichLinks, { tags, folder }: BulkExtra) =>
  send<JobView>('POST', '/api/v1/links/bulk', { body: { action, ...which, tags, folder } })

/** The tags and folders of the account. */
export const renameLabel = (id: string, name: string) => send<LabelView>('PATCH', `/api/v1/labels/${id}`, { body: { name } })
export const deleteLabel = (id: string) => send<undefined>('DELETE', `/api/v1/labels/${id}`)
export const getLabels = (signal?: AbortSignal) => send<Labels>('GET', '/api/v1/labels', { signal })

/** A large file takes minutes on a slow line. */
const UPLOAD_TIME = 600_000

/** Begins a dry run of an import: of JSON, known by its name or its first character, or of CSV. */
export const checkLinks = async (list: string | File) => {
  const isJson = typeof list === 'string' ? /^\s*[[{]/.test(list) : /\.(json|jsonl|ndjson)(\.gz)?$/i.test(list.name)
  const text = { content: list, type: isJson ? ('application/json' as const) : ('text/csv' as const) }
  return send<JobView>('POST', '/api/v1/links/import?dryRun=true', { text, timeout: UPLOAD_TIME })
}
