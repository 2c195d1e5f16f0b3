import { useSearchParams } from 'next/navigation'
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'

/** Sent to the window when one of our pages gave the address another query. */
const CHANGED = 'terse:address'

/**
 * The query of the address. The browser is asked: Next.js's own copy waits for the server when one goes back after a reload, and
 * a change that comes meanwhile is lost on it.
 */
export function useAddressQuery(): string {
  // What the server rendered; it also renders again when a link leads to the same page.
  const served = useSearchParams().toString()
  return useSyncExternalStore(
    subscribe,
    () => new URLSearchParams(location.search).toString(),
    () => served,
  )
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('popstate', listener)
  window.addEventListener(CHANGED, listener)
  return () => {
    window.removeEventListener('popstate', listener)
    window.removeEventListener(CHANGED, listener)
  }
}

/** Gives the address another query, '' for none. The page stays; `push` makes it a step of the history. */
export function showQuery(query: string, how: 'push' | 'replace' = 'push'): void {
  const address = query === '' ? location.pathname : `?${query}`
  if (how === 'push') window.history.pushState(null, '', address)
  else window.history.replaceState(null, '', address)
  window.dispatchEvent(new Event(CHANGED))
}

/** Does once what a link to this page asks for by `name` in its query, and takes the name out of the address. */
export function useAskedFor(name: string, act: () => void): void {
  const query = new URLSearchParams(useAddressQuery())
  const isAsked = query.has(name)
  const answer = useEffectEvent(() => {
    query.delete(name)
    showQuery(query.toString(), 'replace')
    act()
  })
  useEffect(() => {
    if (isAsked) answer()
  }, [isAsked])
}
