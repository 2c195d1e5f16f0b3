import type { TerseError } from '@/lib/errors'
import { json } from '../../problem'
import type { Refusal } from '../dialect'

/** Our fields by the names that they have there. */
const FIELDS: Readonly<Record<string, string>> = {
  ...{ code: 'key', comment: 'comments', folder: 'folderId', host: 'slug', q: 'search', from: 'start', to: 'end' },
  ...{ preview: 'title', referrer: 'referer', foreground: 'fgColor', background: 'bgColor' },
}

/** The codes of errors that there are, and their statuses. */
export function codeOf({ code }: Pick<TerseError, 'code'>): { status: number; code: string } {
  switch (code) {
    case 'unauthorized':
      return { status: 401, code: 'unauthorized' }
    case 'forbidden':
    case 'proof_needed':
      return { status: 403, code: 'forbidden' }
    case 'not_found':
    case 'gone':
      return { status: 404, code: 'not_found' }
    case 'conflict':
      return { status: 409, code: 'conflict' }
    case 'validation_failed':
      return { status: 422, code: 'unprocessable_entity' }
    case 'bad_request':
    case 'payload_too_large':
    case 'unsupported_media_type':
      return { status: 400, code: 'bad_request' }
    case 'method_not_allowed':
      return { status: 405, code: 'bad_request' }
    case 'rate_limited':
      return { status: 429, code: 'rate_limit_exceeded' }
    case 'unavailable':
      return { status: 503, code: 'internal_server_error' }
    default:
      return { status: 500, code: 'internal_server_error' }
  }
}

/** What is wrong, with the field that it is about. */
export function messageOf({ error, write }: Pick<Refusal, 'error' | 'write'>): string {
  const [first] = error.errors ?? []
  if (!first) return write(error.said)
  const [name = ''] = first.path.split('.', 1)
  return name === '' ? write(first.message) : `${FIELDS[name] ?? name}: ${write(first.message)}`
}

/** A refusal as Dub sends it. */
export function refuse(refusal: Refusal): Response {
  const { status, code } = codeOf(refusal.error)
  return json(status, { error: { code, message: messageOf(refusal) } })
}
