import type { z } from 'zod'
import type { HistoryPage } from '@/lib/history/schemas'
import type { CreateLink, LinkView, SpokenInput, SpokenView, UpdateLink } from '@/lib/links/schemas'
import type { CreateReport } from '@/lib/reports/schemas'
import type { Rehearsal } from '@/lib/stats/schemas'
import { send } from './http'

export type UpdateBody = z.input<typeof UpdateLink>
/** What names a link to the API, and the token that may change it; null where the session of its owner does. */
export interface LinkKey {
  code: string
  domain: string
  manageToken: string | null
}

/** @param attempt the same for each try to make one link, so that a try whose answer was lost makes no second one */
export const createLink = (body: z.input<typeof CreateLink>, attempt: string) =>
  send<LinkView>('POST', '/api/v1/links', { body, headers: { 'Idempotency-Key': attempt } })
export const getLink = (key: LinkKey, signal?: AbortSignal) =>
  send<LinkView>('GET', pathOf(key), { headers: authorization(key), signal })
export const updateLink = (key: LinkKey, body: UpdateBody) =>
  send<LinkView>('PATCH', pathOf(key), { body, headers: authorization(key) })
/** Where the latest clicks of a link would have gone. */
export const rehearseRouting = (key: LinkKey, routing: unknown) =>
  send<Rehearsal>('POST', pathOf(key, '/rehearsal'), { body: { routing }, headers: authorization(key) })
/** What changed of a link. @param cursor of the page before; null for the first */
export const getHistory = (key: LinkKey, cursor: string | null, signal?: AbortSignal) =>
  send<HistoryPage>('GET', linkPath(key, '/history', { domain: key.domain, limit: '20', ...(cursor && { cursor }) }), {
    headers: authorization(key),
    signal,
  })
export const deleteLink = (key: LinkKey) => send<unknown>('DELETE', pathOf(key), { headers: authorization(key) })
export const restoreLink = (key: LinkKey) => send<LinkView>('POST', pathOf(key, '/restore'), { headers: authorization(key) })

/** A number that leads to `body.url` for a while. */
export const createSpoken = (body: z.input<typeof SpokenInput>) => send<SpokenView>('POST', '/api/v1/spoken', { body })
export const createReport = (body: z.input<typeof CreateReport>) =>
  send<{ reference: string }>('POST', '/api/v1/reports', { body })

const pathOf = (key: LinkKey, action = '') => linkPath(key, action, { domain: key.domain })

/** Where the API has something of a link. */
export const linkPath = ({ code }: { code: string }, action: string, query: Record<string, string>) =>
  `/api/v1/links/${encodeURIComponent(code)}${action}?${new URLSearchParams(query)}`
export const authorization = ({ manageToken }: Pick<LinkKey, 'manageToken'>): Record<string, string> =>
  manageToken === null ? {} : { Authorization: `Bearer ${manageToken}` }
