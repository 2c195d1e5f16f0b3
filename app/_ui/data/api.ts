import { z } from 'zod'
import { type CreateLink, LinkView, type SpokenInput, SpokenView, type UpdateLink } from '@/lib/links/schemas'
import { type CreateReport, ReportReceipt } from '@/lib/reports/schemas'
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
  send('POST', '/api/v1/links', LinkView, { body, headers: { 'Idempotency-Key': attempt } })
export const getLink = (key: LinkKey, signal?: AbortSignal) =>
  send('GET', pathOf(key), LinkView, { headers: authorization(key), signal })
export const updateLink = (key: LinkKey, body: UpdateBody) =>
  send('PATCH', pathOf(key), LinkView, { body, headers: authorization(key) })
export const deleteLink = (key: LinkKey) => send('DELETE', pathOf(key), z.unknown(), { headers: authorization(key) })
export const restoreLink = (key: LinkKey) => send('POST', pathOf(key, '/restore'), LinkView, { headers: authorization(key) })

/** A number that leads to `body.url` for a while. */
export const createSpoken = (body: z.input<typeof SpokenInput>) => send('POST', '/api/v1/spoken', SpokenView, { body })
export const createReport = (body: z.input<typeof CreateReport>) => send('POST', '/api/v1/reports', ReportReceipt, { body })

const pathOf = (key: LinkKey, action = '') => linkPath(key, action, { domain: key.domain })

/** Where the API has something of a link. */
export const linkPath = ({ code }: { code: string }, action: string, query: Record<string, string>) =>
  `/api/v1/links/${encodeURIComponent(code)}${action}?${new URLSearchParams(query)}`
export const authorization = ({ manageToken }: Pick<LinkKey, 'manageToken'>): Record<string, string> =>
  manageToken === null ? {} : { Authorization: `Bearer ${manageToken}` }
