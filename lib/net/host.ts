/** A Host header or a typed domain as domains are kept: lower case, without port or final dots. */
export function normaliseHost(host: string): string {
  return withoutRoot(host.toLowerCase().replace(/:\d+$/, ''))
}

/** A name may end with the dot of the root, and is the same host. URLs take several; who asks for such a name may drop them. */
export function withoutRoot(name: string): string {
  let end = name.length
  while (name[end - 1] === '.') end -= 1
  return name.slice(0, end)
}

/**
 * Tells browsers to come by https only, for a year (RFC 6797). Not for subdomains: those of our host may be someone else's, and
 * served without https.
 */
export const HSTS = ['Strict-Transport-Security', 'max-age=31536000'] as const

/** Whether this deployment is reached by https. */
export const isHttps = (baseUrl: string) => baseUrl.startsWith('https:')
