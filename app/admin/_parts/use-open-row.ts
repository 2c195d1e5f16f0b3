import { usePathname, useSearchParams } from 'next/navigation'
import { useCallback, useRef } from 'react'

interface Open {
  /** What is looked into beside the list; null: nothing. */
  id: string | null
  open: (id: string) => void
  close: () => void
}

/** What a drawer shows is in the address, so that it can be led to from elsewhere and left by the back button. */
export function useOpenRow(): Open {
  const id = useSearchParams().get('open')
  const path = usePathname()
  const openedHere = useRef(false)
  const open = useCallback((wanted: string) => {
    openedHere.current = true
    const query = new URLSearchParams(location.search)
    query.set('open', wanted)
    window.history.pushState(null, '', `?${query}`)
  }, [])
  const close = useCallback(() => {
    if (openedHere.current) window.history.back()
    else {
      const query = new URLSearchParams(location.search)
      query.delete('open')
      window.history.replaceState(null, '', query.size > 0 ? `?${query}` : path)
    }
    openedHere.current = false
  }, [path])
  return { id, open, close }
}

/** The address under which something is looked into. */
export const openPath = (list: 'links' | 'accounts' | 'reports', id: string) =>
  `/admin/${list}?${new URLSearchParams({ open: id })}`
