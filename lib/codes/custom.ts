import { type Message, say } from '@/lib/i18n/message'
import { normalised } from '@/lib/tools/normalised'
import { asLatin, mixesAlphabets } from './lookalikes'
import { isReservedPath, isSpokenCode } from './reserved'

export const MAX_CODE_LENGTH = 128

/** A code as it is kept. What is longer than any code stays as it is. */
export const normalCode = (code: string): string => normalised('NFC', code)

/**
 * What a path can hold as it is: in ASCII the characters of RFC 3986 but for the percent sign, beyond it whatever can be seen
 * (letters with their marks, digits, signs, emoji), the joiners between these, and the letters of flags. `/` only between
 * segments, of which none is `.` or `..`: browsers would leave them out.
 */
const SEEN = '[^\\0-\\x7f\\p{C}\\p{Z}]'
const SEGMENT = `(?!\\.\\.?(/|$))([!$&-.\\w:;=@~]|\\u{1f3f4}[\\u{e0030}-\\u{e007a}]+\\u{e007f}|${SEEN}([\\u200c\\u200d]${SEEN})*)+`
const CODE = new RegExp(`^${SEGMENT}(/${SEGMENT})*$`, 'u')

/** True for anything that could be a code at all; what is not cannot be a link and needs no lookup. */
export function isCodeShaped(code: string): boolean {
  // Spread counts characters, not UTF-16 units, as the column does; the cheap bound comes first.
  return code.length <= MAX_CODE_LENGTH * 2 && CODE.test(code) && [...code].length <= MAX_CODE_LENGTH
}

/** Why `code` (of `normalCode`) can be none on any domain, or null when it can. */
export function codeProblem(code: string): Message | null {
  if (code === '') return say('forms.code.none')
  if ([...code].length > MAX_CODE_LENGTH) return say('forms.field.tooLong', { most: MAX_CODE_LENGTH })
  if (/\/\*$/.test(code)) return say('forms.code.wildcard')
  if (/^\/|\/\/|\/$/.test(code)) return say('forms.code.slashes')
  return CODE.test(code) ? null : say('forms.code.characters')
}

/** What a domain keeps codes for besides links. */
export interface CodeRules {
  /** The pages and the API are there: it is BASE_URL's own. */
  isBase?: boolean
  /** Numbers of up to six digits are spoken codes there. */
  spoken?: boolean
}

/** Why a domain has no room for `code`, as far as a form says it at once; ./on-domain.ts has the last word. */
export function likelyProblemOn(code: string, { isBase, spoken }: CodeRules): Message | null {
  if (spoken && isSpokenCode(code)) return say('forms.code.digits')
  if (isBase && isReservedPath(asLatin(code.toUpperCase()))) return say('forms.code.reserved')
  return mixesAlphabets(code) ? say('forms.code.mixed') : null
}

/** As any domain may come to fold it: by way of the capitals, since several small letters may share one. */
export const folded = (code: string): string => code.toUpperCase().toLowerCase()
