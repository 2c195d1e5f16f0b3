import { z } from 'zod'
import type { CreateLink, UpdateLink } from '@/lib/links/schemas'
import { LinkView } from '@/lib/links/schemas'
import { type Result, send } from './http'

export type CreateBody = z.input<typeof CreateLink>
export type UpdateBody = z.input<typeof UpdateLink>
/** What names a link to the API, and the token that may change it; null where the session of its owner does. */
export interface LinkKey {
  code: string
  domain: string
  manageToken: string | null
}

/** @param attempt the same for each try to make one link, so that a try whose answer was lost makes no second one */
export function createLink(body: CreateBody, attempt: string): Promise<Result<LinkView>> {
  return send('POST', '/api/v1/links', LinkView, { body, headers: { 'Idempotency-Key': attempt } })
}

export function getLink(key: LinkKey, signal?: AbortSignal): Promise<Result<LinkView>> {
  return send('GET', pathOf(key), LinkView, { headers: authorization(key), signal })
}

export function updateLink(key: LinkKey, body: UpdateBody): Promise<Result<LinkView>> {
  return send('PATCH', pathOf(key), LinkView, { body, headers: authorization(key) })
}

export function deleteLink(key: LinkKey): Promise<Result<unknown>> {
  return send('DELETE', pathOf(key), z.unknown(), { headers: authorization(key) })
}

export function restoreLink(key: LinkKey): Promise<Result<LinkView>> {
  return send('POST', pathOf(key, '/restore'), LinkView, { headers: authorization(key) })
}

const pathOf = (key: LinkKey, action = '') => linkPath(key, action, { domain: key.domain })

/** Where the API has something of a link. */
export const linkPath = ({ code }: { code: string }, action: string, query: Record<string, string>) =>
  `/api/v1/links/${encodeURIComponent(code)}${action}?${new URLSearchParams(query)}`

export const authorization = ({ manageToken }: Pick<LinkKey, 'manageToken'>): Record<string, string> =>
  manageToken === null ? {} : { Authorization: `Bearer ${manageToken}` }
