import { STATUS_CODES } from 'node:http'
import { isTerseError, TerseError } from '@/lib/errors'

/** An error as RFC 9457 problem details. What is not meant for the caller becomes a bare 500. */
export function problem(error: unknown): Response {
  const known = isTerseError(error) ? error : new TerseError('internal', 'Something went wrong here. It was logged.')
  const headers = new Headers({ 'Content-Type': 'application/problem+json', 'Cache-Control': 'no-store' })
  if (known.retryAfter !== undefined) headers.set('Retry-After', String(known.retryAfter))
  if (known.allow !== undefined) headers.set('Allow', known.allow)
  if (known.status === 401) headers.set('WWW-Authenticate', 'Bearer')
  const body = {
    type: 'about:blank',
    title: STATUS_CODES[known.status] ?? 'Error',
    status: known.status,
    detail: known.message,
    code: known.code,
    ...(known.errors ? { errors: known.errors } : {}),
  }
  return new Response(JSON.stringify(body), { status: known.status, headers })
}

/** Answers what a route has no handler for. `allow` names what it has; Next.js by itself would not say. */
export function notAllowed(allow: string): () => Response {
  return () => problem(new TerseError('method_not_allowed', `Use ${allow}.`, { allow }))
}
