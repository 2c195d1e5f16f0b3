import { cancelled, type Failure, failed, failureOf } from '@/lib/forms/failure'
import { say } from '@/lib/i18n/message'
import { askForProof, PROOF_NEEDED } from './proof'
import { write } from './words'

export type Result<T> = { ok: true; value: T } | { ok: false; failure: Failure }

const TIMEOUT_MS = 20_000

interface Options {
  /** Sent as JSON. */
  body?: unknown
  /** Sent as it is, in place of a body of JSON. */
  text?: { content: string | Blob; type: 'text/plain' | 'text/csv' | 'application/json' }
  /** The same of a file. */
  file?: { content: File; type: string }
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
  /** Until the answer begins, for a file; until it is read, for JSON. */
  timeout?: number
  /** Goes on when the page is left. For small bodies. */
  keepalive?: boolean
}

/**
 * Never throws: whatever goes wrong comes back as a failure in plain words.
 * @returns what the server answered, as the schema of its endpoint says: that is not looked at again here
 */
export async function send<T>(method: string, path: string, options: Options = {}): Promise<Result<T>> {
  const result = await exchange(method, path, options)
  if (!result.ok) return result
  try {
    // Of nothing, where the answer is no more than that it was done.
    const text = await result.value.text()
    return { ok: true, value: (text === '' ? undefined : JSON.parse(text)) as T }
  } catch {
    return failed('other', write(say('forms.unreadable')))
  }
}

/** Of a success, something else. */
export const mapped = <T, U>(answer: Result<T>, change: (value: T) => U): Result<U> =>
  answer.ok ? { ok: true, value: change(answer.value) } : answer

/**
 * Sends a request, once more after its sender has shown who they are where the server asks for that.
 * @returns an answer of success whose body is still to be read
 */
export async function exchange(method: string, path: string, options: Options): Promise<Result<Response>> {
  const { result, proofNeeded } = await exchangeOnce(method, path, options)
  if (!proofNeeded) return result
  const proof = await askForProof()
  if (proof === 'cancelled') return cancelled
  return proof === 'shown' ? (await exchangeOnce(method, path, options)).result : result
}

interface Exchanged {
  result: Result<Response>
  proofNeeded: boolean
}

async function exchangeOnce(method: string, path: string, options: Options): Promise<Exchanged> {
  const timeout = AbortSignal.timeout(options.timeout ?? TIMEOUT_MS)
  try {
    const response = await fetch(path, {
      method,
      headers: { ...options.headers, ...contentType(options) },
      body: options.file?.content ?? options.text?.content ?? (options.body === undefined ? null : JSON.stringify(options.body)),
      signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
      cache: 'no-store',
      keepalive: options.keepalive ?? false,
    })
    if (response.ok) return { result: { ok: true, value: response }, proofNeeded: false }
    const json: unknown = await response.json().catch(() => undefined)
    const proofNeeded = (json as { code?: unknown } | undefined)?.code === PROOF_NEEDED
    return { result: { ok: false, failure: failureOf(response, json, method, path, write) }, proofNeeded }
  } catch {
    const text = write(say(method === 'GET' ? 'forms.offline' : 'forms.offlineUnsaved'))
    return { result: failed('network', text), proofNeeded: false }
  }
}

function contentType({ body, text, file }: Options): Record<string, string> {
  if (file !== undefined) return { 'Content-Type': file.type }
  if (text !== undefined) return { 'Content-Type': `${text.type}; charset=utf-8` }
  return body === undefined ? {} : { 'Content-Type': 'application/json' }
}
