import type { ForeignApi } from '@/lib/config'

/**
 * Where the APIs of other shorteners lie (docs/decisions/0055-foreign-apis.md), on the host of BASE_URL. Narrow, so that hardly
 * any code could stand there: `rest` itself is a code like any other.
 */
const PATHS: Readonly<Record<ForeignApi, RegExp>> = {
  // Signatures with a time do not tell whose they are: an account can name itself by its handle. What its bookmarklets open, and
  // an address behind ours, of which proxies may have made one slash of two.
  yourls: /^\/(?:(?:@\d{8}\/)?yourls-api\.php|admin\/index\.php|https?:\/.+)$/,
  kutt: /^\/api\/v2(\/|$)/,
  shlink: /^\/rest\/(v[123]\/|health$)/,
  bitly: /^\/v4\/(shorten|expand|bitlinks|custom_bitlinks|groups|organizations|bsds|user)(\/|$)/,
  dub: /^\/dub\/(links|tags|folders|domains|analytics|qr)(\/|$)/,
}

const NAMES = Object.keys(PATHS) as ForeignApi[]

/**
 * The shortener in whose API a path lies, whether that is turned on or not; null for none.
 * @param path with its slash, without the query
 */
export function foreignApiOf(path: string): ForeignApi | null {
  return NAMES.find((name) => PATHS[name].test(path)) ?? null
}

/** Whether a path lies in one of these APIs. */
export function isForeignPath(path: string, apis: readonly ForeignApi[]): boolean {
  return apis.some((name) => PATHS[name].test(path))
}
