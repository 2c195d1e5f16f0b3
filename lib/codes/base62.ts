export const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const TWO_32 = 2 ** 32

/**
 * The lowest `length` base62 digits of the 64-bit number `high * 2^32 + low`, most significant first.
 * Long division by 62 in two halves keeps every step below 2^53, so plain numbers are exact.
 */
export function base62(high: number, low: number, length: number): string {
  let text = ''
  let h = high
  let l = low
  for (let i = 0; i < length; i++) {
    const rest = (h % 62) * TWO_32 + l
    h = Math.floor(h / 62)
    l = Math.floor(rest / 62)
    text = ALPHABET.charAt(rest % 62) + text
  }
  return text
}
