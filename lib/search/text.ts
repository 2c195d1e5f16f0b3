// By its file: its plain name is a deprecated module of node's own.
import punycode from 'punycode/punycode.js'
import { escapeLike } from '@/lib/db/like'

/** What a link is searched by: its code, its title and its destination. */
export interface Searchable {
  code: string
  title: string
  url: string
}

/** At most this many terms of a search count. */
const MAX_TERMS = 8

/**
 * A text without regard to case, accents and ways of writing the same character: `Größe` and `GROSSE` are the same. Everything else stays,
 * punctuation too.
 */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase()
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/ß/g, 'ss').replace(/ς/g, 'σ')
}

/** What is searched for: each term is to be found somewhere in a link's text. */
export function termsOf(query: string): string[] {
  return [...new Set(fold(query).split(/\s+/u).filter(Boolean))].slice(0, MAX_TERMS)
}

/** The text of a link, folded. A destination is in it as it is stored, and as people read it. */
export function textOf({ code, title, url }: Searchable): string {
  const text = fold(`${code}\n${title}`)
  return isEncoded(url) ? `${text}\n${fold(url)}\n${fold(decoded(url))}` : `${text}\n${fold(url)}`
}

/** Whether a link holds every term. */
export function holds(link: Searchable, terms: readonly string[]): boolean {
  const text = textOf(link)
  return terms.every((term) => text.includes(term))
}

/**
 * An SQL condition that every link with this term meets; `holds` tells which of the others slipped through. MySQL and MariaDB fold as
 * `fold` does in ASCII alone, so links with other characters always pass.
 */
export function mayHold(term: string): { sql: string; values: unknown[] } {
  if (!isAscii(term)) return { sql: NOT_PLAIN, values: [] }
  return { sql: `${TEXT} LIKE ? OR ${NOT_PLAIN}`, values: [`%${escapeLike(term)}%`] }
}

const TEXT = "CONCAT_WS('\\n', code, title, url) COLLATE utf8mb4_general_ci"
const NOT_PLAIN =
  "LENGTH(title) <> CHAR_LENGTH(title) OR LENGTH(code) <> CHAR_LENGTH(code) OR url LIKE '%\\%%' OR url LIKE '%xn--%'"

const isAscii = (text: string) => /^[\0-\x7f]*$/.test(text)

/** Whether a destination, which WHATWG URL parsing has written in ASCII, stands for characters outside of it. */
const isEncoded = (url: string) => url.includes('%') || url.includes('xn--')

function decoded(url: string): string {
  const readable = url.replace(/(?:%[\da-f]{2})+/gi, (run) => attempt(decodeURIComponent, run))
  return readable.replace(/xn--[a-z\d-]+/gi, (label) => attempt(punycode.toUnicode, label))
}

function attempt(decode: (text: string) => string, text: string): string {
  try {
    return decode(text)
  } catch {
    return text
  }
}
