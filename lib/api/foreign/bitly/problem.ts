import { json } from '../../problem'
import type { Refusal } from '../dialect'

/** Our fields by the names that they have there. */
const FIELDS: Readonly<Record<string, string>> = {
  ...{ url: 'long_url', code: 'keyword', expiresAt: 'expiration_at', from: 'unit_reference', to: 'unit_reference' },
  ...{ interval: 'unit', q: 'query' },
}

/** What a path ends with, apart from names: `bitlinks` of `/v4/bitlinks/{bitlink+}/clicks`. */
const resourceOf = (request: Request) => new URL(request.url).pathname.split('/')[2] ?? ''

/** A refusal as Bitly sends it: by its code, in words, and what was asked for. A missing or wrong key is 403 there. */
export function refuse({ error, write, asked: { request } }: Refusal): Response {
  const as = (status: number, message: string, errors?: readonly { field: string; error_code: string }[]) =>
    json(status, { message, description: write(error.said), resource: resourceOf(request), ...(errors && { errors }) })
  switch (error.code) {
    case 'unauthorized':
    case 'forbidden':
    case 'proof_needed':
      return as(403, 'FORBIDDEN')
    case 'not_found':
      return as(404, 'NOT_FOUND')
    case 'gone':
      return as(410, 'GONE')
    case 'conflict':
      return as(409, 'CONFLICT')
    case 'validation_failed':
      return invalid(as, error.errors?.[0]?.path ?? '')
    case 'bad_request':
    case 'unsupported_media_type':
      return as(400, 'BAD_REQUEST')
    case 'payload_too_large':
      return as(413, 'REQUEST_ENTITY_TOO_LARGE')
    case 'method_not_allowed':
      return as(405, 'METHOD_NOT_ALLOWED')
    case 'rate_limited':
      return as(429, 'RATE_LIMIT_EXCEEDED')
    case 'unavailable':
      return as(503, 'TEMPORARILY_UNAVAILABLE')
    default:
      return as(500, 'INTERNAL_ERROR')
  }
}

function invalid(
  as: (status: number, message: string, errors: readonly { field: string; error_code: string }[]) => Response,
  path: string,
): Response {
  const [first = ''] = path.split('.', 1)
  const field = FIELDS[first] ?? first
  return as(400, `INVALID_ARG_${field.toUpperCase()}`, [{ field, error_code: 'invalid' }])
}
