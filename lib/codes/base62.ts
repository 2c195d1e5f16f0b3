export const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** For codes of domains that know no capitals. */
export const ONE_CASE = '0123456789abcdefghijklmnopqrstuvwxyz'
const TWO_32 = 2 ** 32

/**
 * The lowest `length` digits of the 64-bit number `high * 2^32 + low`, most significant first: in base 62, or in that of another
 * alphabet. Long division in two halves keeps every step below 2^53, so plain numbers are exact.
 */
export function base62(high: number, low: number, length: number, alphabet = ALPHABET): string {
  const base = alphabet.length
  let text = ''
  let h = high
  let l = low
  for (let i = 0; i < length; i++) {
    const rest = (h % base) * TWO_32 + l
    h = Math.floor(h / base)
    l = Math.floor(rest / base)
    text = alphabet.charAt(rest % base) + text
  }
  return text
}
