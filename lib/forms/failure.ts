import { type Message, say, type Writer } from '@/lib/i18n/message'
import { waitFor } from '@/lib/tools/wait'
import type { FieldErrors } from './fields'

/** Why something was not done or not read: as a whole, and by field where a form has them. */
export interface Failure {
  /** `refused`: the token does not open this link (any more). `gone`: there is no such link. `cancelled`: by who asked for it. */
  kind: 'cancelled' | 'network' | 'limited' | 'unavailable' | 'refused' | 'gone' | 'invalid' | 'other'
  /** In plain words, with what to do; shown as it is. */
  message: string
  fields: FieldErrors
  /** What the server itself said, in one sentence or two; null where it said nothing. */
  said: string | null
  /** When to try again: “in 5 minutes”. */
  wait: Message
}

/** What of a problem document is shown; a proxy on the way may answer with anything at all. */
function problemOf(json: unknown): { said: string | null; fields: FieldErrors } {
  const { detail, title, errors } = (json ?? {}) as Record<string, unknown>
  const fields: FieldErrors = {}
  for (const { path, message } of Array.isArray(errors) ? errors : []) {
    // The first message about a field is the one that matters.
    if (typeof path !== 'string' || typeof message !== 'string') continue
    fields[path] ??= message
    // Of one in a list, such as `tags.2`, the form has the list alone.
    fields[path.split('.')[0] ?? path] ??= message
  }
  const said = [detail, title].find((text) => typeof text === 'string')
  return { said: said ?? null, fields }
}

/**
 * What an answer of the API that is no success means, in plain words.
 * @param json its body, as far as it could be read
 * @param method of the request, and its path
 */
export function failureOf(response: Response, json: unknown, method: string, path: string, write: Writer): Failure {
  const { said, fields } = problemOf(json)
  const wait = waitFor(Number(response.headers.get('Retry-After') ?? Number.NaN))
  const more = { fields, said, wait }
  switch (response.status) {
    case 429:
      // The API says of what there were too many, whose they are, and when to try again; a proxy does not.
      return { kind: 'limited', ...more, message: said ?? write(say('forms.tooMany', { wait })) }
    case 502:
    case 503:
    case 504:
      return {
        kind: 'unavailable',
        ...more,
        // What was asked for may be too much at once, and the answer says so.
        message: method === 'GET' ? (said ?? write(say('forms.unread', { wait }))) : write(say('forms.unsaved', { wait })),
      }
    case 401:
    case 403:
      return { kind: 'refused', ...more, message: said ?? write(say('forms.refused')) }
    case 404:
      // Of a link, the API tells those who may not manage it no more than that.
      if (path.startsWith('/api/v1/links/')) {
        return { kind: 'refused', ...more, message: said ?? write(say('forms.notYours')) }
      }
      return { kind: 'gone', ...more, message: said ?? write(say('forms.gone')) }
    case 410:
      return { kind: 'gone', ...more, message: said ?? write(say('forms.gone')) }
    case 409:
    case 422:
      return { kind: 'invalid', ...more, message: said ?? write(say('forms.invalid')) }
    default:
      return { kind: 'other', ...more, message: said ?? write(say('forms.fault')) }
  }
}

/** A failure that no answer of the server told. */
export const failed = (kind: Failure['kind'], message: string, fields: FieldErrors = {}): { ok: false; failure: Failure } => ({
  ok: false,
  failure: { kind, message, fields, said: null, wait: say('forms.wait.moment') },
})

/** What was entered cannot be sent: why by field, or as a whole. */
export const invalid = (fields: FieldErrors, message = ''): Failure => failed('invalid', message, fields).failure

/** What was given up by who asked for it: there is nothing to say about that. */
export const cancelled = failed('cancelled', '')

/** One field of a form stands for both of what the API signs in by. */
export const signInFailure = ({ fields: { email, ...fields }, ...failure }: Failure): Failure => ({
  ...failure,
  fields: email ? { ...fields, login: email } : fields,
})

/** Of a report: that there is no such link is about what was typed as one. */
export const reportFailure = (failure: Failure): Failure =>
  failure.kind === 'gone' ? { ...failure, fields: { shortUrl: failure.message } } : failure

/** Of a spoken code: all numbers may be taken, and the server says so, and when one frees. */
export const spokenFailure = (failure: Failure, write: Writer): Failure =>
  failure.kind === 'unavailable' && failure.said !== null
    ? { ...failure, message: write(say('forms.limited', { why: failure.said, wait: failure.wait })) }
    : failure
