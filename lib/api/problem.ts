import { STATUS_CODES } from 'node:http'
import { isRetryable } from '@/lib/db/errors'
import { isTerseError, TerseError } from '@/lib/errors'
import { type Locale, localeOf } from '@/lib/i18n/languages'
import { say } from '@/lib/i18n/message'
import { writer } from '@/lib/i18n/translate'
import type { Runtime } from '@/lib/runtime'

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

interface ProblemOptions {
  /** By which its lines in the log are found. */
  requestId?: string | undefined
  /** Whether the text is also where better-auth's client looks for it. */
  withMessage?: boolean
}

/** What `request` is answered for an error, in its language and with its id. */
export function problemOf(
  { scope }: Pick<Runtime, 'scope'>,
  { headers }: Pick<Request, 'headers'>,
  error: unknown,
  options: Omit<ProblemOptions, 'requestId'> = {},
): Response {
  return problem(error, localeOf(headers), { ...options, requestId: scope.getStore()?.requestId })
}

/**
 * An error as RFC 9457 problem details. What is not meant for the caller becomes a bare 500.
 * @param locale what its texts are written in; `code` is the same in every language
 */
export function problem(error: unknown, locale: Locale, { requestId, withMessage = false }: ProblemOptions = {}): Response {
  const known = knownError(error, requestId)
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
    ...(requestId === undefined ? {} : { requestId }),
    ...(withMessage ? { message: detail } : {}),
  }
  return json(known.status, body, headers)
}

/** What a caller is told of an error; of a fault of ours: how to speak of it to those who can read the log. */
export function knownError(error: unknown, requestId: string | undefined): TerseError {
  if (isTerseError(error)) return error
  // Others were in the way of it, again and again: the same request may pass in a moment.
  if (isRetryable(error)) return new TerseError('unavailable', say('api.system.database'), { retryAfter: 2, cause: error })
  const said = requestId === undefined ? say('api.internal') : say('api.internalAs', { reference: requestId })
  return new TerseError('internal', said)
}
