import { useCallback, useEffect, useRef, useState } from 'react'
import type { Failure } from '@/lib/forms/failure'
import type { Result } from './http'

export interface Resource<T> {
  /** What was last read, kept while other data is on its way. */
  value: T | null
  /** The value is not the one asked for now. */
  stale: boolean
  /** Why it could not be read. */
  failure: Failure | null
  /** Reads it again, in the background. */
  reload: () => void
}

interface State<T> {
  key: string | null
  value: T | null
  failure: Failure | null
}

/**
 * Data of the server, read again whenever `key` changes. Asked to reload while it is reading, it reads once
 * more afterwards rather than beginning again: news that come faster than answers must not keep them away.
 */
export function useResource<T>(key: string, load: (signal: AbortSignal) => Promise<Result<T>>): Resource<T> {
  const [state, setState] = useState<State<T>>({ key: null, value: null, failure: null })
  const [round, setRound] = useState(0)
  const reading = useRef(false)
  const again = useRef(false)
  const latest = useRef(load)
  latest.current = load

  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` says when to read again
  useEffect(() => {
    const abort = new AbortController()
    const read = async () => {
      reading.current = true
      again.current = false
      const result = await latest.current(abort.signal)
      if (abort.signal.aborted) return
      reading.current = false
      setState((before) => (result.ok ? { key, value: result.value, failure: null } : { ...before, failure: result.failure }))
      if (again.current) setRound((count) => count + 1)
    }
    void read()
    return () => abort.abort()
  }, [key, round])

  const reload = useCallback(() => {
    if (reading.current) again.current = true
    else setRound((count) => count + 1)
  }, [])
  return { value: state.value, stale: state.key !== key, failure: state.failure, reload }
}
