import { createHmac, randomUUID } from 'node:crypto'
import murmurhash from 'murmurhash'
import { isApiWord, isReservedPath, isSpokenCode } from './reserved'
import { isRude } from './rude'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
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

/** Two 32-bit seeds for one account, unknown to anyone without the deployment's secret. */
export function seedsOf(secret: string, ownerId: string | null): [number, number] {
  const digest = createHmac('sha256', secret)
    .update(`codes:${ownerId ?? ''}`)
    .digest()
  return [digest.readUInt32BE(0), digest.readUInt32BE(4)]
}

/** Whether a generated code must be skipped: a word of the application's own, a spoken code, or a rude one. */
function isUnfit(code: string): boolean {
  return isSpokenCode(code) || isReservedPath(code) || isApiWord(code) || isRude(code)
}

/** How often another candidate is tried before giving up. */
export const MAX_ATTEMPTS = 8

/**
 * Candidates for the code of `url`, at most MAX_ATTEMPTS fit ones: MurmurHash3 (A. Appleby, x86 32-bit)
 * under both seeds, in base62. The first is the same every time for one account and URL; later ones have
 * a random UUID appended to what is hashed.
 */
export function* candidates(url: string, seeds: readonly [number, number], length: number): Generator<string, void> {
  let text = url
  for (let given = 0, tried = 0; given < MAX_ATTEMPTS && tried < MAX_ATTEMPTS * 4; tried++) {
    const code = base62(murmurhash.v3(text, seeds[0]), murmurhash.v3(text, seeds[1]), length)
    if (!isUnfit(code)) {
      given += 1
      yield code
    }
    text = url + randomUUID()
  }
}
