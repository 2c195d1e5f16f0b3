import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { authorization } from './api'
import { markLost, sameLink, useRecents } from './recents'
import type { LinkAccess } from './stats'

/**
 * What opens a link's statistics to this browser: a key pasted or brought along in this tab, or that of the
 * links made here. The one place that knows; a session of an account would be another source.
 */

export type Access = { status: 'unknown' } | { status: 'none'; refused: boolean } | { status: 'open'; access: LinkAccess }

interface Address {
  code: string
  domain: string
}

/** What the API takes for a token at all; anything else cannot be sent in a header. */
export const isTokenShaped = (text: string) => /^[\w~+/.=-]{1,512}$/.test(text)

export function useAccess({ code, domain }: Address): Access {
  const arrived = useFragmentToken(code, domain)
  const recents = useRecents()
  const ofTab = useTabToken(code, domain)
  const own = recents?.find((link) => sameLink(link, { code, domain }))
  const token = ofTab || (own?.lost === 'refused' ? undefined : own?.manageToken)
  // The same object for the same key, or everything that hangs on it would be fetched anew.
  const access = useMemo(
    () => (token ? { code, domain, headers: authorization({ manageToken: token }) } : undefined),
    [code, domain, token],
  )
  if (!arrived || recents === undefined) return { status: 'unknown' }
  return access ? { status: 'open', access } : { status: 'none', refused: own?.lost === 'refused' }
}

/** Keeps a key for as long as this tab is open; null forgets it. */
export function keepTabToken({ code, domain }: Address, token: string | null): void {
  const name = storageName(code, domain)
  memory.set(name, token ?? '')
  try {
    if (token === null) sessionStorage.removeItem(name)
    else sessionStorage.setItem(name, token)
  } catch {
    // The browser refuses storage: the key lasts as long as the page.
  }
  for (const listener of listeners) listener()
}

/** The server refused this key: it is not tried again, and asked for anew. */
export function forgetAccess({ code, domain }: Address): void {
  if (readTabToken(storageName(code, domain)) !== '') keepTabToken({ code, domain }, null)
  else markLost({ code, domain }, 'refused')
}

const listeners = new Set<() => void>()
const memory = new Map<string, string>()
const storageName = (code: string, domain: string) => `terse:key:${domain}/${code}`

function readTabToken(name: string): string {
  const known = memory.get(name)
  if (known !== undefined) return known
  try {
    return sessionStorage.getItem(name) ?? ''
  } catch {
    return ''
  }
}

function useTabToken(code: string, domain: string): string {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => readTabToken(storageName(code, domain)),
    () => '',
  )
}

/**
 * Takes a key out of `#token=…`. A fragment never reaches the server, and once read it is removed, so that it
 * stays out of the history, of bookmarks and of what is copied from the address bar.
 * @returns whether that has been done
 */
function useFragmentToken(code: string, domain: string): boolean {
  const [done, setDone] = useState(false)
  useEffect(() => {
    const take = () => {
      const token = new URLSearchParams(location.hash.slice(1)).get('token')?.trim()
      if (token !== undefined) {
        history.replaceState(history.state, '', location.pathname + location.search)
        if (isTokenShaped(token)) keepTabToken({ code, domain }, token)
      }
      setDone(true)
    }
    take()
    window.addEventListener('hashchange', take)
    return () => window.removeEventListener('hashchange', take)
  }, [code, domain])
  return done
}
