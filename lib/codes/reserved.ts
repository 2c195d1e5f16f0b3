import { PAGES } from '@/lib/pages'

/**
 * First path segments that the application itself uses, now or by its design, and so can be no code on the host of BASE_URL.
 * lib/codes/reserved.test.ts derives the list from `app/` and `public/` and fails when one is missing.
 */
export const RESERVED: ReadonlySet<string> = new Set([
  ...PAGES,
  'api',
  'apple-touch-icon',
  'assets',
  'auth',
  'favicon',
  'healthz',
  'icon',
  'manifest',
  'metrics',
  'opengraph-image',
  'readyz',
  'robots',
  'sitemap',
  'static',
])

/** The public page of an account: `@` and its handle, or the name it chose (lib/accounts/schemas.ts). */
const PROFILE = /^@(\d{8}|[a-z][\w-]{2,29})$/

/**
 * True when `path` (without the leading slash) begins with a segment of the application's own: a reserved
 * word in any case, alone or as the name of a file, or an account's public page.
 */
export function isReservedPath(path: string): boolean {
  const slash = path.indexOf('/')
  const segment = (slash === -1 ? path : path.slice(0, slash)).toLowerCase()
  if (segment.startsWith('_next') || segment.startsWith('.well-known') || PROFILE.test(segment)) return true
  return RESERVED.has(segment.replace(/\.[a-z0-9]+$/, ''))
}

/**
 * What robots, browsers and certificates ask of every host by themselves, by exactly these names; and the probes of load
 * balancers, which ask any host.
 */
const PROTOCOL =
  /^(?:\.well-known(?:\/.*)?|robots\.txt|sitemap\.xml|favicon\.ico|apple-touch-icon(?:-\d+x\d+)?(?:-precomposed)?\.png|healthz|readyz)$/

/** True when `path` (without the leading slash) can be a code on no domain. */
export const isProtocolPath = (path: string): boolean => PROTOCOL.test(path)

/**
 * True when a request to the host of BASE_URL is for a code rather than for the application.
 * @param url path and query
 */
export function isLanePath(url: string): boolean {
  const [path = ''] = url.split('?', 1)
  // Not everything begins with a slash: `OPTIONS *` is refused as for a code.
  return path !== '/' && !isReservedPath(path.slice(1))
}

/** The same of a request to any other domain. */
export function isLanePathElsewhere(url: string): boolean {
  const [path = ''] = url.split('?', 1)
  return path !== '/' && !isProtocolPath(path.slice(1))
}

/**
 * Words that stand where a code stands in `/api/v1/links/…`. A link called so is named there together with its domain
 * (lib/api/router.ts); none is called so by chance.
 */
const API_WORDS = new Set(['bulk', 'export', 'import', 'move', 'sparklines'])
export const isApiWord = (code: string): boolean => API_WORDS.has(code)

/** All-digit codes of up to six digits are spoken codes, on domains that have these (`Domains.isSpoken`). */
export function isSpokenCode(code: string): boolean {
  return /^\d{1,6}$/.test(code)
}
