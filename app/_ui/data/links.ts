import type { JobView } from '@/lib/jobs/schemas'
import type { AdminBulkLinks, LinkTotal, LinkView, Sparklines } from '@/lib/links/schemas'
import type { BULK_ACTIONS } from '@/lib/links/values'
import type { Rows } from './cursor-page'
import { mapped, type Result, send } from './http'

export type AdminBulkAction = AdminBulkLinks['action']

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
export const startBulk = (action: (typeof BULK_ACTIONS)[number], which: WhichLinks) =>
  send<JobView>('POST', '/api/v1/links/bulk', { body: { action, ...which } })

/** Begins a job that makes all links of a list. */
export const importLinks = (csv: string | File) =>
  send<JobView>('POST', '/api/v1/links/import', { text: { content: csv, type: 'text/csv' }, timeout: 60_000 })
