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

/**
 * Does once what a link to this page asks for by `name` in its query, and takes the name out of the address.
 * @param more what it may come with, taken out as well
 */
export function useAskedFor<More extends string = never>(
  name: string,
  act: (given: Partial<Record<More, string>>) => void,
  more: readonly More[] = [],
): void {
  const query = new URLSearchParams(useAddressQuery())
  const isAsked = query.has(name)
  const answer = useEffectEvent(() => {
    const given: Partial<Record<More, string>> = {}
    for (const one of more) {
      const value = query.get(one)
      if (value !== null) given[one] = value
    }
    for (const one of [name, ...more]) query.delete(one)
    showQuery(query.toString(), 'replace')
    act(given)
  })
  useEffect(() => {
    if (isAsked) answer()
  }, [isAsked])
}
