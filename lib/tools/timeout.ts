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
