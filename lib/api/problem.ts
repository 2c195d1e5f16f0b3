import { STATUS_CODES } from 'node:http'
import { isTerseError, TerseError } from '@/lib/errors'
import type { Locale } from '@/lib/i18n/languages'
import { say } from '@/lib/i18n/message'
import { writer } from '@/lib/i18n/translate'

/** JSON that nobody may keep. */
export function json(status: number, value: unknown, headers: Record<string, string> = {}): Response {
  const body = Buffer.from(JSON.stringify(value))
  return new Response(body, {
    status,
    // By its length lib/api/send.ts knows an answer that is whole from one that is still being made.
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': String(body.length),
      'Cache-Control': 'no-store',
      ...headers,
    },
  })
}

/**
 * An error as RFC 9457 problem details. What is not meant for the caller becomes a bare 500.
 * @param locale what its texts are written in; `code` is the same in every language
 * @param withMessage whether the text is also where better-auth's client looks for it
 */
export function problem(error: unknown, locale: Locale, withMessage = false): Response {
  const known = isTerseError(error) ? error : new TerseError('internal', say('api.internal'))
  const write = writer(locale)
  const detail = write(known.said)
  const headers: Record<string, string> = { 'Content-Type': 'application/problem+json', 'Content-Language': locale.language }
  if (known.retryAfter !== undefined) headers['Retry-After'] = String(known.retryAfter)
  if (known.allow !== undefined) headers.Allow = known.allow
  if (known.status === 401) headers['WWW-Authenticate'] = 'Bearer'
  const body = {
    type: 'about:blank',
    title: STATUS_CODES[known.status] ?? 'Error',
    status: known.status,
    detail,
    code: known.code,
    ...(known.errors ? { errors: known.errors.map(({ path, message }) => ({ path, message: write(message) })) } : {}),
    ...(withMessage ? { message: detail } : {}),
  }
  return json(known.status, body, headers)
}
