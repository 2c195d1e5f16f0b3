import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { authorization } from './api'
import { markLost, sameLink, useRecents } from './recents'
import type { LinkAccess } from './stats'

/**
 * What opens a link's statistics to this browser: a key pasted or brought along in this tab, or that of the
 * links made here, or else the session of the account that owns it. The one place that knows.
 */

export type Access = { status: 'unknown' } | { status: 'none'; refused: boolean } | { status: 'open'; access: LinkAccess }

interface Address {
  code: string
  domain: string
}

/** What the API takes for a token at all; anything else cannot be sent in a header. */
export const isTokenShaped = (text: string) => /^[\w~+/.=-]{1,512}$/.test(text)

/**
 * @param signedIn whether there is a session to try where there is no key
 * @param isOpen the page came with what the session opens: it need not wait to be known what else does
 */
export function useAccess({ code, domain }: Address, signedIn: boolean, isOpen = false): Access {
  const arrived = useFragmentToken(code, domain)
  const recents = useRecents()
  const ofTab = useTabToken(code, domain)
  const own = recents?.find((link) => sameLink(link, { code, domain }))
  const bySession = useIsOpenToSession(code, domain) && signedIn
  const token = ofTab || (own?.lost === 'refused' ? undefined : own?.manageToken)
  // The same object for the same key, or everything that hangs on it would be fetched again.
  const access = useMemo(
    () => (token || bySession ? { code, domain, headers: authorization({ manageToken: token || null }) } : undefined),
    [code, domain, token, bySession],
  )
  if (!isOpen && (!arrived || recents === undefined)) return { status: 'unknown' }
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

/** The server refused this key or this session: it is not tried again, and a key is asked for. */
export function forgetAccess({ code, domain, headers }: LinkAccess): void {
  if (!('Authorization' in headers)) {
    refusedSession.add(storageName(code, domain))
    for (const listener of listeners) listener()
  } else if (readTabToken(storageName(code, domain)) !== '') keepTabToken({ code, domain }, null)
  else markLost({ code, domain }, 'refused')
}

const listeners = new Set<() => void>()
const memory = new Map<string, string>()
/** Links that are not those of the account that is signed in. */
const refusedSession = new Set<string>()
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

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function useIsOpenToSession(code: string, domain: string): boolean {
  return useSyncExternalStore(
    subscribe,
    () => !refusedSession.has(storageName(code, domain)),
    () => true,
  )
}

function useTabToken(code: string, domain: string): string {
  return useSyncExternalStore(
    subscribe,
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
