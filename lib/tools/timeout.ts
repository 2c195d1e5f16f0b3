/** `work` took longer than it may. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError'
}

/** The result of `work`, or a TimeoutError after `ms` milliseconds; `work` itself goes on unheard. */
export function withTimeout<T>(work: Promise<T>, ms: number, what: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new TimeoutError(`${what} took longer than ${ms} ms`)), ms)
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
