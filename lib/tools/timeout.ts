import { withResolvers } from './with-resolvers'

/** `work` took longer than it may. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError'
}

/** The result of `work`, or a TimeoutError after `ms` milliseconds; `work` itself goes on unheard. */
export function withTimeout<T>(work: Promise<T>, ms: number, what: string): Promise<T> {
  return new Promise((resolve, reject) => {
    // After this process was busy, timers come before the answers that lie in its sockets: let it read those first.
    const expire = () => setImmediate(() => reject(new TimeoutError(`${what} took longer than ${ms} ms`)))
    const timer = setTimeout(expire, ms)
    work.then(
      (result) => {
        clearTimeout(timer)
        resolve(result)
      },
      (error: unknown) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}

/**
 * The result of `work`, which is told by a signal when its time is over: after `ms` milliseconds, or when `outer` ends it. This
 * rejects then with what the signal gives as its reason, whether `work` heeds it or not.
 *
 * Not by `AbortSignal.any`: in Node 20 it holds what it is given weakly. An `AbortSignal.timeout` that nothing else holds is
 * collected as garbage, and never fires.
 * @throws TimeoutError; the reason of `outer`; what `work` throws
 */
export async function withDeadline<T>(
  work: (signal: AbortSignal) => Promise<T>,
  ms: number,
  what: string,
  outer?: AbortSignal,
): Promise<T> {
  outer?.throwIfAborted()
  const clock = new AbortController()
  const over = withResolvers<never>()
  const end = (reason: unknown) => {
    over.reject(reason)
    clock.abort(reason)
  }
  const timer = setTimeout(() => end(new TimeoutError(`${what} took longer than ${ms} ms`)), ms)
  const stop = () => end(outer?.reason)
  outer?.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([work(clock.signal), over.promise])
  } finally {
    clearTimeout(timer)
    outer?.removeEventListener('abort', stop)
  }
}
