/**
 * Tells browsers to come by https only, for a year (RFC 6797). Not for subdomains: those of our host may be someone else's, and served
 * without https.
 */
export const HSTS = ['Strict-Transport-Security', 'max-age=31536000'] as const

/** Whether this deployment is reached by https. */
export const isHttps = (baseUrl: string) => baseUrl.startsWith('https:')
