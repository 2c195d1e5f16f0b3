import { say } from '@/lib/i18n/message'
import { isWeb, NEVER_OPENED, schemeOf } from '@/lib/tools/schemes'
import { type Destination, MAX_URL_LENGTH, parseDestination } from './destination'

/** The destination of a link as it is stored, or why it is none. */
export function linkDestination(input: string): Destination {
  const parsed = parseDestination(input, true)
  if (!parsed.ok || isWeb(parsed.href)) return parsed
  if (NEVER_OPENED.has(schemeOf(parsed.href))) return { ok: false, problem: say('forms.destination.scheme') }
  const href = encoded(parsed.href)
  // `mailto:` alone leads nowhere.
  if (href.endsWith(':') && schemeOf(href).length === href.length - 1)
    return { ok: false, problem: say('forms.destination.whole') }
  if (href.length > MAX_URL_LENGTH) return { ok: false, problem: say('forms.destination.encoded', { most: MAX_URL_LENGTH }) }
  return { ...parsed, href }
}

/** What no URL can hold as it is (RFC 3986, 2): WHATWG leaves spaces and the like where no server is named. */
const encoded = (href: string) => href.replace(/[^!#-;=?-[\]_a-z~]/g, encodeURIComponent)
