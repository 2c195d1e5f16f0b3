import { parseUrl } from '@/lib/tools/url'

export const MAX_URL_LENGTH = 8192

/** `url` as stored, or why it cannot be a destination. */
export type Destination = { ok: true; href: string; hostname: string; host: string } | { ok: false; problem: string }

// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
const CONTROL_CHARACTER = /[\u0000-\u001f\u007f-\u009f]/

/**
 * The rules for a destination, except the one on our own domains, which needs to know them.
 * Runs in the browser and on the server alike; parsing is WHATWG's, so `href` is what browsers go to.
 */
export function parseDestination(input: string): Destination {
  if (input.length > MAX_URL_LENGTH)
    return { ok: false, problem: `Use at most ${MAX_URL_LENGTH.toLocaleString('en')} characters.` }
  // The parser would silently drop tabs and line breaks and so store something other than what was sent.
  if (CONTROL_CHARACTER.test(input)) return { ok: false, problem: 'Remove the control characters.' }
  const url = parseUrl(input)
  if (url === null) return { ok: false, problem: 'Enter a whole address, such as https://example.com/page.' }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return { ok: false, problem: 'Only http and https addresses can be shortened.' }
  if (url.username || url.password) return { ok: false, problem: 'Remove the user name and password from the address.' }
  if (url.href.length > MAX_URL_LENGTH) {
    return { ok: false, problem: `Use at most ${MAX_URL_LENGTH.toLocaleString('en')} characters, counted after encoding.` }
  }
  return { ok: true, href: url.href, hostname: url.hostname.replace(/\.$/, ''), host: url.host }
}
