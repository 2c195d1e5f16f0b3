import { useCallback, useMemo } from 'react'
import { showQuery, useAddressQuery } from '@/app/_ui/data/address'
import { parseView, subjectOf, type View, viewQuery } from './view'

export interface ViewControl {
  view: View
  /** The same for the same view. */
  key: string
  /** Shows something else, as a step of the history. */
  change: (changes: Partial<View>) => void
  /** Shows only clicks with this value; the same once more: all again. */
  toggle: (dimension: keyof View['filters'], value: string) => void
}

/** The view that the address names. The page itself stays: only its address and its numbers change. */
export function useView(): ViewControl {
  const query = useAddressQuery()
  const subject = useMemo(() => subjectOf(new URLSearchParams(query)), [query])
  const view = useMemo(() => parseView(new URLSearchParams(query)), [query])
  const change = useCallback(
    (changes: Partial<View>) => {
      const text = viewQuery({ ...view, ...changes }, subject)
      if (text !== viewQuery(view, subject)) showQuery(text)
    },
    [view, subject],
  )
  const toggle = useCallback(
    (dimension: keyof View['filters'], value: string) => {
      const { [dimension]: before, ...others } = view.filters
      change({ filters: before === value ? others : { ...others, [dimension]: value } })
    },
    [view, change],
  )
  return { view, key: viewQuery(view, subject), change, toggle }
}
