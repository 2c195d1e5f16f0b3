import { useCallback, useRef } from 'react'
import { showQuery, useAddressQuery } from '@/app/_ui/data/address'

interface Open {
  /** What is looked into beside the list; null: nothing. */
  id: string | null
  open: (id: string) => void
  close: () => void
}

/** What a drawer shows is in the address, so that it can be led to from elsewhere and left by the back button. */
export function useOpenRow(): Open {
  const id = new URLSearchParams(useAddressQuery()).get('open')
  const openedHere = useRef(false)
  const open = useCallback((wanted: string) => {
    openedHere.current = true
    const query = new URLSearchParams(location.search)
    query.set('open', wanted)
    showQuery(query.toString())
  }, [])
  const close = useCallback(() => {
    if (openedHere.current) window.history.back()
    else {
      const query = new URLSearchParams(location.search)
      query.delete('open')
      showQuery(query.toString(), 'replace')
    }
    openedHere.current = false
  }, [])
  return { id, open, close }
}

/** The address under which something is looked into. */
export const openPath = (list: 'links' | 'accounts' | 'reports', id: string) =>
  `/admin/${list}?${new URLSearchParams({ open: id })}`
