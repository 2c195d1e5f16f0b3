import { TerseError } from './problem.js'

export interface RetryOptions {
  /** How often a request that failed is sent again. */
  retries: number
  /** How long one try may take until its answer begins, in ms. */
  timeout: number
}

/** Answers that say: the same request may pass in a moment. */
const PASSING = new Set([429, 502, 503, 504])

/** Of these, answers of a server before Terse that got none from it: whether Terse did what it was asked is not known. */
const LOST = new Set([502, 504])

/** A server that asks for more patience than this is told of at once, in seconds. */
const LONGEST_WAIT = 60

/**
 * A fetch that sends a request again where that can do no harm: when there was no answer, or one that passes. A request without
 * an effect of its own may be sent twice, and so may one with an Idempotency-Key.
 * @throws TerseError 'unreachable' when no try was answered; what the signal of the request is aborted with
 */
export function retrying(fetch: typeof globalThis.fetch, { retries, timeout }: RetryOptions) {
  return async (request: Request): Promise<Response> => {
    let isDoneMaybe = false
    for (let attempt = 0; ; attempt++) {
      const isLast = attempt >= retries || !mayRepeat(request)
      const answer = await once(fetch, isLast ? request : request.clone(), timeout)
      if (answer instanceof Response) {
        // A try before deleted it, and its answer was lost.
        if (isDoneMaybe && request.method === 'DELETE' && [404, 410].includes(answer.status))
          return new Response(null, { status: 204 })
        isDoneMaybe ||= LOST.has(answer.status)
        const wait = waitAfter(answer, attempt)
        if (isLast || !PASSING.has(answer.status) || wait > LONGEST_WAIT) return answer
        await answer.body?.cancel()
        await pause(wait, request.signal)
      } else {
        // Whether that try changed the link is not known, and its version would be another then.
        if (isLast || request.headers.has('if-match')) throw answer
        isDoneMaybe = true
        await pause(waitAfter(undefined, attempt), request.signal)
      }
    }
  }
}

function mayRepeat({ method, headers }: Request): boolean {
  return method !== 'POST' || headers.has('idempotency-key')
}

/** One try. @returns what came of it: an answer, or why there was none @throws what the signal of the request is aborted with */
async function once(fetch: typeof globalThis.fetch, request: Request, timeout: number): Promise<Response | TerseError> {
  request.signal.throwIfAborted()
  const patience = new AbortController()
  const timer = setTimeout(() => patience.abort(), timeout)
  try {
    return await fetch(new Request(request, { signal: AbortSignal.any([request.signal, patience.signal]) }))
  } catch (error) {
    if (request.signal.aborted) throw request.signal.reason
    const { origin } = new URL(request.url)
    const why = patience.signal.aborted ? `it didn’t answer within ${timeout / 1000} s` : reasonOf(error)
    return new TerseError(`Can’t reach ${origin}: ${why}.`, 0, 'unreachable', [], undefined, undefined, { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

/** `fetch failed` says nothing; its cause does. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return String(cause)
  return cause.message || (cause as NodeJS.ErrnoException).code || cause.name
}

/** In seconds: what the server asks for, or twice as long each time, by chance a little more or less. */
function waitAfter(answer: Response | undefined, attempt: number): number {
  const asked = Number(answer?.headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(asked) ? asked : 0.25 * 2 ** attempt * (0.75 + Math.random() / 2)
}

/** @param seconds @throws what the signal is aborted with */
function pause(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(done, seconds * 1000)
    function done() {
      signal.removeEventListener('abort', stop)
      resolve()
    }
    function stop() {
      clearTimeout(timer)
      reject(signal.reason)
    }
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}
