/**
 * Characters that a host may have as it is written, with the user and password before it. A name in DNS has 253 (RFC 1035,
 * 2.3.4), and these in letters of any script fewer. Reading an international one takes the square of its length.
 */
const MOST_HOST = 1_000

/**
 * A URL as WHATWG reads it, or null; null too where its host is longer than any. Used in place of `URL.canParse`, which on
 * Node 20 answers false for `https://münchen.de` once its caller is compiled: its fast path hands Latin-1 to a parser that reads
 * UTF-8.
 */
export function parseUrl(text: string, base?: string | URL): URL | null {
  if (text.length > MOST_HOST && hostIn(text).length > MOST_HOST) return null
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}

// What the parser skips: these before the URL, and tabs and line breaks wherever they stand.
const SKIPPED = /^[\0- ]+|[\t\n\r]+/g
/** The schemes whose hosts are names, and what begins with a host where its scheme is that of the base. */
const HOST = /^(?:(?:https?|wss?|ftp|file):|(?=[/\\]{2}))[/\\]*([^/\\?#]*)/i

/** What the parser would read as the host of a URL, with user, password and port; '' for none, or none that it decodes. */
const hostIn = (text: string) => HOST.exec(text.replace(SKIPPED, ''))?.[1] ?? ''

/** What a percent-encoded text says; the text itself where it is no such encoding. */
export function decodeText(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
