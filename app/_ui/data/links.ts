import { JobView } from '@/lib/jobs/schemas'
import { type AdminBulkLinks, type BULK_ACTIONS, LinkPage, Sparklines } from '@/lib/links/schemas'
import { send } from './http'

export type AdminBulkAction = AdminBulkLinks['action']

const Links = LinkPage.transform(({ links, nextCursor }) => ({ rows: links, nextCursor }))

/** Links of the account that is signed in. */
export const listLinks = (query: Record<string, string>, signal?: AbortSignal) =>
  send('GET', `/api/v1/links?${new URLSearchParams(query)}`, Links, { signal })
export const getSparklines = (ids: readonly string[], signal?: AbortSignal) =>
  send('GET', `/api/v1/links/sparklines?ids=${ids.join(',')}`, Sparklines, { signal })

/** Begins a job that does something to all of these links. */
export const startBulk = (action: (typeof BULK_ACTIONS)[number], ids: readonly string[]) =>
  send('POST', '/api/v1/links/bulk', JobView, { body: { action, ids } })

/** Begins a job that makes all links of a list. */
export const importLinks = (csv: string | File) =>
  send('POST', '/api/v1/links/import', JobView, { text: { content: csv, type: 'text/csv' }, timeout: 60_000 })
