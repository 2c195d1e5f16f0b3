import { normalised } from '@/lib/tools/normalised'

/**
 * The form of a code in which capitals make no difference: Unicode's simple case folding, then NFC. A letter stays one letter,
 * so `ß` is not `ss`, and no language decides: `I` is `i` everywhere, and the Turkish `ı` and `İ` stay what they are. Folding
 * twice changes nothing. No code gets longer by it.
 * @param code of `normalCode` (lib/codes/custom.ts)
 */
export function foldCode(code: string): string {
  if (ASCII.test(code)) return code.toLowerCase()
  return normalised('NFC', Array.from(code, foldLetter).join(''))
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what ASCII is
const ASCII = /^[\u0000-\u007f]*$/

/** By way of the capital, since several small letters may share one, as σ and ς do. Of those `ı` alone is one of its own. */
function foldLetter(letter: string): string {
  if (letter === 'ı') return letter
  return [letter.toUpperCase().toLowerCase(), letter.toLowerCase()].find(isOneLetter) ?? letter
}

const isOneLetter = (text: string) => text.length === ((text.codePointAt(0) ?? 0) > 0xffff ? 2 : 1)
