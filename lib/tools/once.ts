/** Does `work` when its result is first asked for, and never again. After a failure the next to ask tries again. */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | null = null
  return () => {
    result ??= work().catch((error: unknown) => {
      result = null
      throw error
    })
    return result
  }
}
