/** Widths of the text columns that clicks have (prisma/schema.prisma), in characters. */
export const WIDTH = {
  country: 2,
  city: 100,
  browser: 40,
  os: 40,
  device: 16,
  language: 16,
  referrer: 255,
  utm: 100,
  destination: 255,
  referrerUrl: 1024,
  userAgent: 512,
} as const

const CONTROL = /\p{Cc}/gu
const LONE_SURROGATE = /\p{Cs}/gu
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u

/** `text` as MySQL and a page can take it: without control characters, lone surrogates replaced, trimmed. */
export function tidy(text: string): string {
  if (!UNPRINTABLE.test(text)) return text.trim()
  return text.replace(CONTROL, '').replace(LONE_SURROGATE, '\uFFFD').trim()
}

/**
 * The first `width` UTF-16 units of a tidy text, one less where that would halve a pair. A column counts
 * characters, of which there are never more. No space is left at the end, since MySQL's padding
 * collations take values as equal that differ only there.
 */
export function cut(text: string, width: number): string {
  if (text.length <= width) return text
  const last = text.charCodeAt(width - 1)
  const halved = last >= 0xd800 && last <= 0xdbff
  return text.slice(0, halved ? width - 1 : width).trimEnd()
}
