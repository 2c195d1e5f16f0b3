import type { Message } from './i18n/message'
import { inEnglish } from './i18n/translate'

/** The closed list of what can go wrong for a caller, and the HTTP status each becomes. */
export const ERROR_STATUS = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  /** The caller has to show once more who they are; then the same request is good (lib/accounts/proof.ts). */
  proof_needed: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  gone: 410,
  /** `If-Match` names another version than there is now. */
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  validation_failed: 422,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
} as const

export type ErrorCode = keyof typeof ERROR_STATUS

/** One invalid field: where (dotted path, '' for the whole body) and what is wrong. */
export interface FieldError {
  path: string
  message: Message
}

interface Details {
  errors?: FieldError[]
  /** Seconds after which a retry makes sense; becomes `Retry-After`. */
  retryAfter?: number
  /** For `method_not_allowed`: the methods that are. */
  allow?: string
  cause?: unknown
}

/**
 * The one error that carries a message meant for the caller, who reads it in a language of their own (lib/api/problem.ts). Its
 * `message` is the English one, for logs. Anything else is a fault and stays inside.
 */
export class TerseError extends Error {
  override readonly name = 'TerseError'
  readonly status: number
  readonly errors: FieldError[] | undefined
  readonly retryAfter: number | undefined
  readonly allow: string | undefined

  constructor(
    readonly code: ErrorCode,
    readonly said: Message,
    details: Details = {},
  ) {
    super(inEnglish(said), { cause: details.cause })
    this.status = ERROR_STATUS[code]
    this.errors = details.errors
    this.retryAfter = details.retryAfter
    this.allow = details.allow
  }
}

/**
 * True for a TerseError. By name, not `instanceof`: the server bundle and Next.js's bundle each hold a
 * copy of this class, and an error may cross from one to the other.
 */
export function isTerseError(error: unknown): error is TerseError {
  return error instanceof Error && error.name === 'TerseError'
}

/** A 422 about one field. */
export function invalidField(path: string, message: Message): TerseError {
  return new TerseError('validation_failed', message, { errors: [{ path, message }] })
}
