import { isReservedPath } from '@/lib/codes/reserved'
import { parseUrl } from '@/lib/tools/url'

const HERE = 'http://here.invalid'

/**
 * The one place that decides whether an address that came with a request is a page of this app, as the browser would
 * read it: `/..//evil.example` and `/\\evil.example` are other sites, and a short link may lead anywhere.
 * @returns its path, as a browser normalises it; null when it is anything else
 */
export function ownPath(address: string): string | null {
  const url = address.startsWith('/') ? parseUrl(address, HERE) : null
  if (url === null) return null
  const { origin, pathname, search, hash } = url
  const page = pathname.slice(1)
  const ours = origin === HERE && !page.startsWith('/') && (page === '' || isReservedPath(page)) && !/^(api|auth)\b/i.test(page)
  return ours ? pathname + search + hash : null
}

/**
 * Where to go after signing in, as an address names it.
 * @returns a path to a page of this app; `/dashboard` for anything else
 */
export const nextPath = (next: string | undefined): string => ownPath(next ?? '') ?? '/dashboard'
