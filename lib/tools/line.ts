import { z } from 'zod'

/**
 * Text that people type for others to read. What nobody sees is taken out of it, as it comes along with what is pasted: control
 * characters, and those that turn the text around them (U+202A to U+202E, U+2066 to U+2069), by which a name would say another
 * than it is. What writing needs stays: joiners within words and emoji, marks of direction (U+200E, U+200F, U+061C), the
 * flags that are spelled by tags (Unicode Technical Standard 51).
 */
const HIDDEN = '\\p{Cc}\\p{Cs}\\u00AD\\u180E\\u200B\\u202A-\\u202E\\u2060-\\u206F\\uFEFF\\uFFF0-\\uFFFB\\u{E0000}-\\u{E007F}'
const FLAG = '\\u{1F3F4}[\\u{E0020}-\\u{E007E}]{1,8}\\u{E007F}'
const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g
const HIDDEN_OR_FLAG = new RegExp(`(${FLAG})|[${HIDDEN}]`, 'gu')
const HIDDEN_BUT_LINES = new RegExp(`(${FLAG}|[\\n\\t])|[${HIDDEN}]`, 'gu')
/** Letters that look like nothing count as nothing: Hangul fillers and the empty Braille cell. */
const SEEN = /[^\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{M}\u115F\u1160\u2800\u3164\uFFA0]/u

/** `text` as one line that shows all it holds; '' if that is nothing. */
export function toLine(text: string): string {
  return shown(text.replace(BREAKS, ' ').replace(HIDDEN_OR_FLAG, '$1'))
}

/** The same of several lines. */
export function toLines(text: string): string {
  return shown(text.replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n').replace(HIDDEN_BUT_LINES, '$1'))
}

const shown = (text: string) => (SEEN.test(text) ? text.trim() : '')

/** A name, a title, a reason: whatever is shown in one line. */
export const line = (max: number) => z.string().overwrite(toLine).max(max)

/** A text of several lines. */
export const lines = (max: number) => z.string().overwrite(toLines).max(max)
