import { createHash } from 'node:crypto'

/** The longest name: the width of its column (`ClickSource.destination`). */
const WIDTH = 255
/** Hex digits of the hash that ends a shortened name. */
const DIGITS = 16

/**
 * The name of a destination in statistics: its address in the link, without a visitor’s path and query. A long one is cut and
 * ends with part of its hash, which tells addresses apart that begin alike. Clicks keep the name when the link is edited.
 * @param url as `URL.href` writes it, in ASCII
 */
export function destinationName(url: string): string {
  if (url.length <= WIDTH) return url
  const hash = createHash('sha256').update(url).digest('hex').slice(0, DIGITS)
  return `${url.slice(0, WIDTH - DIGITS - 1)}~${hash}`
}
