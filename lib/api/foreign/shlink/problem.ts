import type { TerseError } from '@/lib/errors'
import { json } from '../../problem'
import type { Refusal } from '../dialect'

/** Kinds of errors: how each is called since version 3, and how it was called before. */
const KINDS = {
  'invalid-data': ['Invalid data', 'INVALID_ARGUMENT'],
  'short-url-not-found': ['Short URL not found', 'INVALID_SHORTCODE'],
  'non-unique-slug': ['Invalid custom slug', 'INVALID_SLUG'],
  'tag-not-found': ['Tag not found', 'TAG_NOT_FOUND'],
  'tag-conflict': ['Tag conflict', 'TAG_CONFLICT'],
  'domain-not-found': ['Domain not found', 'DOMAIN_NOT_FOUND'],
  'missing-authentication': ['Invalid authorization', 'INVALID_AUTHORIZATION'],
  'invalid-api-key': ['Invalid API key', 'INVALID_API_KEY'],
  'mercure-not-configured': ['Mercure integration not configured', 'MERCURE_NOT_CONFIGURED'],
  'not-found': ['Not found', 'NOT_FOUND'],
  'forbidden-operation': ['Forbidden', 'FORBIDDEN_OPERATION'],
  conflict: ['Conflict', 'CONFLICT'],
  'rate-limited': ['Too many requests', 'RATE_LIMITED'],
  unavailable: ['Unavailable', 'UNAVAILABLE'],
  internal: ['Unexpected error', 'INTERNAL_ERROR'],
} as const
type Kind = keyof typeof KINDS

/** Our fields by the names that they have there. */
const FIELDS: Readonly<Record<string, string>> = {
  ...{ url: 'longUrl', code: 'customSlug', startsAt: 'validSince', expiresAt: 'validUntil', maxClicks: 'maxVisits' },
  ...{ routing: 'redirectRules', notFoundUrl: 'invalidShortUrlRedirect', rootUrl: 'baseUrlRedirect' },
}

interface Problem {
  kind: Kind
  status: number
  detail: string
  version: string | undefined
  more?: Record<string, unknown>
}

/** An error as Shlink sends it: problem details with types of its own. */
export function problemAs({ kind, status, detail, version = '3', more = {} }: Problem): Response {
  const [title, formerly] = KINDS[kind]
  const type = version === '3' ? `https://shlink.io/api/error/${kind}` : formerly
  return json(status, { title, type, detail, status, ...more }, { 'Content-Type': 'application/problem+json' })
}

/** A refusal of ours, as Shlink sends it. */
export function refuse({ error, write, asked: { params, fields, request } }: Refusal): Response {
  const { version } = params
  const detail = write(error.said)
  const as = (kind: Kind, status: number, more?: Record<string, unknown>) =>
    problemAs({ kind, status, detail, version, ...(more && { more }) })
  switch (error.code) {
    case 'unauthorized':
      return request.headers.has('x-api-key')
        ? as('invalid-api-key', 401)
        : as('missing-authentication', 401, { expectedHeaders: ['X-Api-Key'] })
    case 'forbidden':
    case 'proof_needed':
      return as('forbidden-operation', 403)
    case 'not_found':
    case 'gone':
      return notFound(as, params)
    case 'conflict':
      if (typeof fields.customSlug === 'string') return as('non-unique-slug', 400, { customSlug: fields.customSlug })
      return typeof fields.newName === 'string'
        ? as('tag-conflict', 409, { oldName: fields.oldName, newName: fields.newName })
        : as('conflict', 409)
    case 'bad_request':
    case 'validation_failed':
    case 'payload_too_large':
    case 'unsupported_media_type':
      return as('invalid-data', 400, { invalidElements: elementsOf(error) })
    case 'rate_limited':
      return as('rate-limited', 429)
    case 'unavailable':
      return as('unavailable', 503)
    case 'method_not_allowed':
      return as('not-found', 405)
    default:
      return as('internal', 500)
  }
}

function notFound(
  as: (kind: Kind, status: number, more?: Record<string, unknown>) => Response,
  { code, tag, domain }: Readonly<Record<string, string>>,
): Response {
  if (code !== undefined) return as('short-url-not-found', 404, { shortCode: code })
  if (tag !== undefined) return as('tag-not-found', 404, { tag })
  return domain === undefined ? as('not-found', 404) : as('domain-not-found', 404, { authority: domain })
}

const elementsOf = ({ errors = [] }: TerseError) => [
  ...new Set(errors.map(({ path }) => path.split('.', 1)[0] ?? '').map((path) => FIELDS[path] ?? path)),
]
