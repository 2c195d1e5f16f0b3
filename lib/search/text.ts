import { isUtf8 } from 'node:buffer'
// By its file: its plain name is a deprecated module of node's own.
import punycode from 'punycode/punycode.js'
import { escapeLike } from '@/lib/db/like'
import { normalised } from '@/lib/tools/normalised'

/** What a link is searched by: its code, its title and its destination. */
export interface Searchable {
  code: string
  title: string
  url: string
}

/**
 * What of a link's text counts, in characters, folded: code, title and the longest destination as it is stored (8,192) always
 * fit. Only of the readable form of a destination, which comes last, the end may be cut. One character can fold to 18 (U+FDFA).
 */
const MOST_TEXT = 16_384

/** A longer name is in no DNS (RFC 1035, 2.3.4), so it is left as it is: reading one costs the square of its length. */
const MOST_HOST = 253

/** At most this many terms of a search count. */
export const MAX_TERMS = 8

/**
 * A text without regard to case, accents and ways of writing the same character: `Größe` and `GROSSE` are the same. Everything
 * else stays, punctuation too.
 */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase()
  return normalised('NFKD', text, MOST_TEXT).replace(/\p{M}/gu, '').toLowerCase().replace(/ß/g, 'ss').replace(/ς/g, 'σ')
}

/** What is searched for: each term must stand somewhere in a link's text. */
export function termsOf(query: string): string[] {
  return allTermsOf(query).slice(0, MAX_TERMS)
}

/** The same with those beyond `MAX_TERMS`, which no search looks for. */
export function allTermsOf(query: string): string[] {
  return [...new Set(fold(query).split(/\s+/u).filter(Boolean))]
}

/** The text of a link, folded, up to MOST_TEXT. A destination is in it as it is stored, and as people read it. */
export function textOf({ code, title, url }: Searchable): string {
  const text = `${fold(`${code}\n${title}`)}\n${fold(url)}`
  const readable = decoded(url)
  return (readable === url ? text : `${text}\n${fold(readable)}`).slice(0, MOST_TEXT)
}

/** Whether a link holds every term. */
export function holds(link: Searchable, terms: readonly string[]): boolean {
  const text = textOf(link)
  return terms.every((term) => text.includes(term))
}

/**
 * An SQL condition that every link with these terms meets; `holds` tells which of the others slipped through. MySQL and MariaDB
 * fold as `fold` does in ASCII alone, so links with other characters always pass, which is asked once for all terms.
 */
export function mayHold(terms: readonly string[]): { sql: string; values: unknown[] } {
  if (!terms.every(isAscii)) return { sql: NOT_PLAIN, values: [] }
  const plain = terms.map(() => `${TEXT} LIKE ?`).join(' AND ')
  return { sql: `(${plain}) OR ${NOT_PLAIN}`, values: terms.map((term) => `%${escapeLike(term)}%`) }
}

const TEXT = "CONCAT_WS('\\n', code, title, url) COLLATE utf8mb4_general_ci"
const NOT_PLAIN =
  "LENGTH(title) <> CHAR_LENGTH(title) OR LENGTH(code) <> CHAR_LENGTH(code) OR url LIKE '%\\%%' OR url LIKE '%xn--%'"

const isAscii = (text: string) => /^[\0-\x7f]*$/.test(text)

/** A destination, which WHATWG URL parsing has written in ASCII, with the characters that it stands for. */
function decoded(url: string): string {
  const named = url.includes('xn--') ? url.replace(HOST, (_, before: string, host: string) => before + readableHost(host)) : url
  return named.includes('%') ? named.replace(/(?:%[\da-f]{2})+/gi, readableBytes) : named
}

/** What stands before the host of a URL, and the host with its port. */
const HOST = /^([a-z][a-z\d+.-]*:\/\/(?:[^/?#@]*@)?)([^/?#@]*)/i

function readableHost(host: string): string {
  if (host.length > MOST_HOST) return host
  return host.replace(/xn--[a-z\d-]+/g, (label) => {
    try {
      return punycode.toUnicode(label)
    } catch {
      return label
    }
  })
}

/**
 * The characters of percent-encoded bytes; these as they are where they are no UTF-8. Thousands of exceptions would take too
 * long.
 */
function readableBytes(run: string): string {
  const bytes = Buffer.from(run.replaceAll('%', ''), 'hex')
  return isUtf8(bytes) ? bytes.toString() : run
}
