/** Where links can be taken over from, besides our own CSV and JSON (lib/movers). */
export const MOVED_FROM = [
  ...(['yourls', 'kutt', 'shlink', 'dub', 'bitly', 'sink', 'other'] as const),
  ...(['sitemap', 'apache', 'nginx', 'netlify', 'cloudflare'] as const),
] as const
export type MovedFrom = (typeof MOVED_FROM)[number]

/** Those that are also asked by their API; of the second list it is in a single place unless another is named. */
export const LIVE_FROM = ['yourls', 'kutt', 'shlink', 'dub', 'bitly', 'sitemap'] as const satisfies readonly MovedFrom[]
export const ONE_PLACE: readonly MovedFrom[] = ['dub', 'bitly']
/** Those that need nothing that lets us in: a file at an address. */
export const KEYLESS: readonly MovedFrom[] = ['sitemap']

/** Those to whose short links capitals make no difference. */
export const CASELESS: readonly MovedFrom[] = ['dub', 'sink']

/** Configurations of servers: their destinations may be paths. */
const RULES = ['apache', 'nginx', 'netlify', 'cloudflare'] as const satisfies readonly MovedFrom[]
export const isRules = (from: string | null): from is (typeof RULES)[number] =>
  (RULES as readonly (string | null)[]).includes(from)

/** Files that can be imported, as an `input` takes them. */
export const IMPORT_FILES =
  '.csv,.tsv,.txt,.json,.jsonl,.ndjson,.sql,.xml,.conf,.htaccess,_redirects,.gz,text/csv,application/json,text/plain,text/xml'
