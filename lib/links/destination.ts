import { type Message, say } from '@/lib/i18n/message'
import { parseUrl } from '@/lib/tools/url'

export const MAX_URL_LENGTH = 8192

/** `url` as stored, or why it cannot be a destination. */
export type Destination = { ok: true; href: string; hostname: string; host: string } | { ok: false; problem: Message }

// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
const CONTROL_CHARACTER = /[\u0000-\u001f\u007f-\u009f]/

/**
 * The rules for a destination, except the one on our own domains, which needs to know them.
 * Runs in the browser and on the server alike; parsing is WHATWG's, so `href` is what browsers go to.
 * @param others takes URLs of other schemes than http and https too; which of them, is asked in lib/links/permit.ts
 */
export function parseDestination(input: string, others = false): Destination {
  if (input.length > MAX_URL_LENGTH) return { ok: false, problem: say('forms.field.tooLong', { most: MAX_URL_LENGTH }) }
  // The parser would silently drop tabs and line breaks and so store something other than what was sent.
  if (CONTROL_CHARACTER.test(input)) return { ok: false, problem: say('forms.destination.control') }
  const url = parseUrl(input)
  if (url === null) return { ok: false, problem: say('forms.destination.whole') }
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:'
  if (!isWeb && !others) return { ok: false, problem: say('forms.destination.scheme') }
  if (url.username || url.password) return { ok: false, problem: say('forms.destination.credentials') }
  if (url.href.length > MAX_URL_LENGTH) {
    return { ok: false, problem: say('forms.destination.encoded', { most: MAX_URL_LENGTH }) }
  }
  return { ok: true, href: url.href, hostname: url.hostname.replace(/\.$/, ''), host: url.host }
}
