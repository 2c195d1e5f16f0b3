import { unicodeHost } from '@/lib/net/shown-host'
import { parseUrl } from '@/lib/tools/url'

/** A URL for reading: no scheme, a Unicode host, no lone slash at the end. Not for copying. */
export function readableUrl(href: string): string {
  const url = parseUrl(href)
  // Of what an app opens, its scheme says which.
  if (url === null || !url.protocol.startsWith('http')) return href
  const rest = `${decode(url.pathname)}${url.search}${url.hash}`
  return `${unicodeHost(url.host)}${rest === '/' ? '' : rest}`
}

function decode(path: string): string {
  try {
    // Percent-encoded characters that would read as something else are left as they are, and those that turn the text around.
    const decoded = /%(2f|3f|23|25|[01][0-9a-f]|7f)/i.test(path) ? path : decodeURI(path)
    return /[\p{C}\p{Z}]/u.test(decoded) ? path : decoded
  } catch {
    return path
  }
}
