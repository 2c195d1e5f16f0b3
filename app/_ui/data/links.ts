import type { z } from 'zod'
import { JobView } from '@/lib/jobs/schemas'
import { type AdminBulkLinks, type BULK_ACTIONS, LinkPage, type LinkView, Sparklines } from '@/lib/links/schemas'
import type { Rows } from './cursor-page'
import { type Result, send } from './http'

export type BulkAction = (typeof BULK_ACTIONS)[number]
export type AdminBulkAction = AdminBulkLinks['action']

const Links = LinkPage.transform(({ links, nextCursor }) => ({ rows: links, nextCursor }))

/** Links of the account that is signed in. */
export function listLinks(query: Record<string, string>, signal?: AbortSignal): Promise<Result<Rows<LinkView>>> {
  return send('GET', `/api/v1/links?${new URLSearchParams(query)}`, Links, { signal })
}

export function getSparklines(ids: readonly string[], signal?: AbortSignal): Promise<Result<z.infer<typeof Sparklines>>> {
  return send('GET', `/api/v1/links/sparklines?ids=${ids.join(',')}`, Sparklines, { signal })
}

/** Begins a job that does something to all of these links. */
export function startBulk(action: BulkAction, ids: readonly string[]): Promise<Result<JobView>> {
  return send('POST', '/api/v1/links/bulk', JobView, { body: { action, ids } })
}

/** Begins a job that makes all links of a list. */
export function importLinks(csv: string | File): Promise<Result<JobView>> {
  return send('POST', '/api/v1/links/import', JobView, { text: { content: csv, type: 'text/csv' }, timeout: 60_000 })
}
