import { z } from 'zod'
import type { CreateLink, UpdateLink } from '@/lib/links/schemas'
import { LinkView } from '@/lib/links/schemas'

export type CreateBody = z.input<typeof CreateLink>
export type UpdateBody = z.input<typeof UpdateLink>
/** What names a link to the API, and the token that may change it. */
export interface LinkKey {
  code: string
  domain: string
  manageToken: string
}

/** Messages by the path of the field they are about, as the schemas and the API name it. */
export type FieldErrors = Partial<Record<string, string>>

export interface Failure {
  /** `refused`: the token does not open this link (any more). `gone`: there is no such link. */
  kind: 'network' | 'limited' | 'unavailable' | 'refused' | 'gone' | 'invalid' | 'other'
  /** In plain words, with what to do; shown as it is. */
  message: string
  fields: FieldErrors
}

export type Result<T> = { ok: true; value: T } | { ok: false; failure: Failure }

const Problem = z.object({
  detail: z.string().optional(),
  title: z.string().optional(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).default([]),
})

const TIMEOUT_MS = 20_000

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

const pathOf = ({ code, domain }: LinkKey, action = '') =>
  `/api/v1/links/${encodeURIComponent(code)}${action}?${new URLSearchParams({ domain })}`

const authorization = ({ manageToken }: LinkKey) => ({ Authorization: `Bearer ${manageToken}` })

interface Options {
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
}

/** Never throws: whatever goes wrong comes back as a failure in plain words. */
async function send<T>(method: string, path: string, answer: z.ZodType<T>, options: Options): Promise<Result<T>> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const response = await fetch(path, {
      method,
      headers: { ...options.headers, ...(options.body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      body: options.body === undefined ? null : JSON.stringify(options.body),
      signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
      cache: 'no-store',
    })
    const json: unknown = response.status === 204 ? undefined : await response.json().catch(() => undefined)
    if (!response.ok) return { ok: false, failure: failureOf(response, json) }
    const parsed = answer.safeParse(json)
    if (parsed.success) return { ok: true, value: parsed.data }
    return failed('other', 'The server’s answer could not be read. Reload the page and try again.')
  } catch {
    return failed('network', 'The server cannot be reached. Check your connection, then try again. Nothing you entered is lost.')
  }
}

function failureOf(response: Response, json: unknown): Failure {
  const parsed = Problem.safeParse(json)
  const problem = parsed.success ? parsed.data : { errors: [], detail: undefined, title: undefined }
  const fields: FieldErrors = {}
  // The first message about a field is the one that matters.
  for (const { path, message } of problem.errors) fields[path] ??= message
  const said = problem.detail ?? problem.title
  const again = `Try again ${waitOf(response)}.`
  switch (response.status) {
    case 429:
      return { kind: 'limited', fields, message: `Too many requests came from your network. ${again}` }
    case 502:
    case 503:
    case 504:
      return {
        kind: 'unavailable',
        fields,
        message: `Links cannot be saved at the moment. Nothing you entered is lost. ${again}`,
      }
    case 401:
    case 403:
      return { kind: 'refused', fields, message: said ?? 'You may not do this.' }
    case 404:
    case 410:
      return { kind: 'gone', fields, message: said ?? 'This link no longer exists.' }
    case 409:
    case 422:
      return { kind: 'invalid', fields, message: said ?? 'Some of this cannot be accepted.' }
    default:
      return { kind: 'other', fields, message: said ?? 'Something went wrong on the server. Try again in a moment.' }
  }
}

/** `Retry-After` in words. */
function waitOf(response: Response): string {
  const seconds = Number(response.headers.get('Retry-After'))
  if (!Number.isFinite(seconds) || seconds <= 1) return 'in a moment'
  const count = (value: number, unit: 'second' | 'minute' | 'hour') =>
    `in ${new Intl.NumberFormat(undefined, { style: 'unit', unit, unitDisplay: 'long' }).format(value)}`
  if (seconds < 100) return count(Math.ceil(seconds), 'second')
  if (seconds < 6000) return count(Math.ceil(seconds / 60), 'minute')
  return count(Math.ceil(seconds / 3600), 'hour')
}

const failed = (kind: Failure['kind'], message: string): { ok: false; failure: Failure } => ({
  ok: false,
  failure: { kind, message, fields: {} },
})
