import { useCallback, useMemo, useRef } from 'react'
import { showQuery, useAddressQuery } from './address'

/** Where the page of a list begins; null: the first. */
interface Paged {
  cursor: string | null
}

export interface ListControl<V extends Paged> {
  view: V
  /** Shows something else, from its first page, as a step of the history. */
  change: (changes: Partial<V>) => void
  /** Goes to the page that begins at `cursor`. */
  next: (cursor: string) => void
  /** Goes to the page before; null on the first. */
  previous: (() => void) | null
}

/**
 * The view of a list that the address names. The page itself stays: only its address and its rows change.
 * @param parse reads a query, whatever it holds
 * @param write the query of a view, in one order, so that the same view has one address
 */
export function useListView<V extends Paged>(parse: (query: URLSearchParams) => V, write: (view: V) => string): ListControl<V> {
  const query = useAddressQuery()
  const view = useMemo(() => parse(new URLSearchParams(query)), [query, parse])
  /** Which page each page was reached from, by their cursors. */
  const before = useRef(new Map<string, string | null>())
  const show = useCallback(
    (wanted: V) => {
      const text = write(wanted)
      if (text !== write(parse(new URLSearchParams(location.search)))) showQuery(text)
    },
    [parse, write],
  )
  const change = useCallback((changes: Partial<V>) => show({ ...view, cursor: null, ...changes }), [view, show])
  const next = (cursor: string) => {
    before.current.set(cursor, view.cursor)
    show({ ...view, cursor })
  }
  const { cursor } = view
  // Of a page that was opened by its address only the first is known to come before.
  const previous = cursor === null ? null : () => show({ ...view, cursor: before.current.get(cursor) ?? null })
  return { view, change, next, previous }
}
