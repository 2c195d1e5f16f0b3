/**
 * A URL as WHATWG reads it, or null. Used in place of `URL.canParse`, which on Node 20 answers false for `https://münchen.de`
 * once its caller is compiled: its fast path hands Latin-1 to a parser that reads UTF-8.
 */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}
