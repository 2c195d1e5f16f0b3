import { isReservedPath } from '@/lib/codes/reserved'

const HERE = 'http://here.invalid'

/**
 * Where to go after signing in, as an address names it.
 * @returns a path to a page of this app; `/dashboard` for anything else, short links included: an address someone sent
 *   around must not end elsewhere
 */
export function nextPath(next: string | undefined): string {
  if (!next?.startsWith('/') || !URL.canParse(next, HERE)) return '/dashboard'
  const { origin, pathname, search, hash } = new URL(next, HERE)
  const page = pathname.slice(1)
  const ours = origin === HERE && !page.startsWith('/') && (page === '' || isReservedPath(page)) && !/^(api|auth)\b/i.test(page)
  return ours ? pathname + search + hash : '/dashboard'
}
