import { type Message, say } from '@/lib/i18n/message'
import { normalised } from '@/lib/tools/normalised'
import { asLatin, mixesAlphabets } from './lookalikes'
import { isApiWord, isReservedPath, isSpokenCode } from './reserved'

export const MAX_CODE_LENGTH = 128

/** A code as it is kept. What is longer than any code stays as it is. */
export const normalCode = (code: string): string => normalised('NFC', code)

/** Letters (with their combining marks) and digits of any script, `_` and `-`; `/` only between segments. */
const CUSTOM_CODE = /^[\p{L}\p{M}\p{N}_-]+(\/[\p{L}\p{M}\p{N}_-]+)*$/u

/** True for anything that could be a code at all; what is not cannot be a link and needs no lookup. */
export function isCodeShaped(code: string): boolean {
  // Spread counts characters, not UTF-16 units, as the column does; the cheap bound comes first.
  return code.length <= MAX_CODE_LENGTH * 2 && CUSTOM_CODE.test(code) && [...code].length <= MAX_CODE_LENGTH
}

/** Why `code` (of `normalCode`) cannot be chosen as a custom code, or null when it can. */
export function customCodeProblem(code: string): Message | null {
  if (code === '') return say('forms.code.none')
  if ([...code].length > MAX_CODE_LENGTH) return say('forms.field.tooLong', { most: MAX_CODE_LENGTH })
  if (!CUSTOM_CODE.test(code)) return say('forms.code.characters')
  if (isSpokenCode(code)) return say('forms.code.digits')
  if (isReservedPath(asLatin(code)) || isApiWord(code)) return say('forms.code.reserved')
  if (mixesAlphabets(code)) return say('forms.code.mixed')
  return null
}
