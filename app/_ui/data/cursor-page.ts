import { useCallback, useEffect, useRef, useState } from 'react'
import type { Failure } from '@/lib/forms/failure'
import type { Result } from './http'

export const PAGE = 25
/** Requests in a row for one page, before it is left to the reader whether to look on. */
const MAX_STEPS = 40

/** A page of a list as the API answers it. */
export interface Rows<T> {
  rows: T[]
  nextCursor: string | null
}

type Query = Record<string, string>

interface State<T> {
  key: string | null
  /** null until the first are here. */
  rows: T[] | null
  nextCursor: string | null
  /** There is more to look through for this page. */
  looking: boolean
  failure: Failure | null
}

export interface CursorPage<T> extends Omit<State<T>, 'key'> {
  /** The rows are those of another view; its own are on their way. */
  stale: boolean
  reload: () => void
  /** Puts the new state of a row in its place. */
  replace: (row: T) => void
  remove: (id: string) => void
}

/**
 * A page of a list. The server may answer after looking through so much, with what it has found by then: this asks on
 * until the page is full.
 * @param query filters and cursor, as the API knows them
 */
export function useCursorPage<T extends { id: string }>(
  query: Query,
  list: (query: Query, signal: AbortSignal) => Promise<Result<Rows<T>>>,
): CursorPage<T> {
  const key = JSON.stringify(query)
  const [state, setState] = useState<State<T>>({ key: null, rows: null, nextCursor: null, looking: true, failure: null })
  const [round, setRound] = useState(0)
  const latest = useRef(list)
  latest.current = list
  const reading = useRef(false)

  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for the query, and `round` says when to read again
  useEffect(() => {
    const abort = new AbortController()
    reading.current = true
    const look = async () => {
      let rows: T[] = []
      let cursor = query.cursor ?? null
      for (let step = 1; ; step++) {
        const limit = String(PAGE - rows.length)
        const result = await latest.current({ ...query, ...(cursor && { cursor }), limit }, abort.signal)
        if (abort.signal.aborted) return
        if (!result.ok) return setState((before) => ({ ...before, looking: false, failure: result.failure }))
        rows = [...rows, ...result.value.rows]
        cursor = result.value.nextCursor
        const looking = cursor !== null && rows.length < PAGE && step < MAX_STEPS
        setState({ key, rows, nextCursor: cursor, looking, failure: null })
        if (!looking) return
      }
    }
    void look().finally(() => {
      if (!abort.signal.aborted) reading.current = false
    })
    return () => abort.abort()
  }, [key, round])

  const reload = useCallback(() => setRound((count) => count + 1), [])
  const change = useCallback(
    (update: (rows: T[]) => T[]) => {
      setState((before) => ({ ...before, rows: before.rows && update(before.rows) }))
      // What is being read may be from before the change, and would undo it here.
      if (reading.current) reload()
    },
    [reload],
  )
  const replace = useCallback((row: T) => change((rows) => rows.map((other) => (other.id === row.id ? row : other))), [change])
  const remove = useCallback((id: string) => change((rows) => rows.filter((other) => other.id !== id)), [change])
  return { ...state, stale: state.key !== key, reload, replace, remove }
}
