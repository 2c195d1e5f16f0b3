import { isApiWord, isReservedPath, isSpokenCode } from './reserved'

export const MAX_CODE_LENGTH = 128

/** Letters (with their combining marks) and digits of any script, `_` and `-`; `/` only between segments. */
const CUSTOM_CODE = /^[\p{L}\p{M}\p{N}_-]+(\/[\p{L}\p{M}\p{N}_-]+)*$/u

/** True for anything that could be a code at all; what is not cannot be a link and needs no lookup. */
export function isCodeShaped(code: string): boolean {
  // Spread counts characters, not UTF-16 units, as the column does; the cheap bound comes first.
  return code.length <= MAX_CODE_LENGTH * 2 && CUSTOM_CODE.test(code) && [...code].length <= MAX_CODE_LENGTH
}

/** Why `code` (in NFC) cannot be chosen as a custom code, or null when it can. */
export function customCodeProblem(code: string): string | null {
  if (code === '') return 'Choose at least one character.'
  if ([...code].length > MAX_CODE_LENGTH) return `Use at most ${MAX_CODE_LENGTH} characters.`
  if (!CUSTOM_CODE.test(code)) return 'Use letters, digits, “_” and “-”, with “/” only between them.'
  if (isSpokenCode(code)) return 'Codes of up to six digits are kept for spoken codes. Add a letter.'
  if (isReservedPath(code) || isApiWord(code)) return 'This word is used by the site itself. Choose another.'
  return null
}
