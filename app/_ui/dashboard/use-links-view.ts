import { useSearchParams } from 'next/navigation'
import { useCallback, useMemo, useRef } from 'react'
import { type LinksView, linksQuery, parseLinksView } from './view'

export interface LinksControl {
  view: LinksView
  /** Shows something else, from its first page, as a step of the history. */
  change: (changes: Partial<LinksView>) => void
  /** Goes to the page that begins at `cursor`. */
  next: (cursor: string) => void
  /** Goes to the page before; null on the first. */
  previous: (() => void) | null
}

/** The view that the address names. The page itself stays: only its address and its rows change. */
export function useLinksView(): LinksControl {
  const query = useSearchParams().toString()
  const view = useMemo(() => parseLinksView(new URLSearchParams(query)), [query])
  /** Which page each page was reached from, by their cursors. */
  const before = useRef(new Map<string, string | null>())
  const show = useCallback((wanted: LinksView) => {
    const text = linksQuery(wanted)
    if (text !== linksQuery(parseLinksView(new URLSearchParams(location.search)))) {
      window.history.pushState(null, '', text ? `?${text}` : location.pathname)
    }
  }, [])
  const change = useCallback((changes: Partial<LinksView>) => show({ ...view, cursor: null, ...changes }), [view, show])
  const next = (cursor: string) => {
    before.current.set(cursor, view.cursor)
    show({ ...view, cursor })
  }
  const { cursor } = view
  // Of a page that was opened by its address only the first is known to come before.
  const previous = cursor === null ? null : () => show({ ...view, cursor: before.current.get(cursor) ?? null })
  return { view, change, next, previous }
}
