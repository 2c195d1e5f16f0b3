/**
 * The address in a text that was shared, or ''. What follows it in a sentence is not part of it.
 * Uses nothing from outside itself: the page that opens without a network (lib/offline) takes its source.
 */
export function addressIn(text: string): string {
  const bare = text.trim()
  if (/^https?:\/\/\S+$/i.test(bare)) return bare
  const found = /https?:\/\/[^\s<>"]+/i.exec(bare)?.[0] ?? ''
  // A bracket that was opened in an address is closed in it.
  const marks = found.includes('(') ? ".,;:!?]}'»”’" : ".,;:!?]}'»”’)"
  // A pattern that ends in `$` would try each mark of a long row, and for each go through the rest.
  let end = found.length
  while (marks.includes(found.charAt(end - 1)) && end > 0) end -= 1
  return found.slice(0, end)
}

/** What another app, a bookmark or an address hands to the front page. */
export interface Shared {
  url?: string | undefined
  text?: string | undefined
  title?: string | undefined
}

/** The URL to shorten: apps put it where they like. */
export function sharedAddress({ url = '', text = '', title = '' }: Shared): string {
  return addressIn(url) || addressIn(text) || addressIn(title) || url.trim()
}
