import murmurhash from 'murmurhash'
import { ALPHABET, base62 } from '@/lib/codes/base62'

const SPACE = 62n

/** The inverse of an odd number modulo 2^32, by Newton's method. */
function inverse(odd: number): number {
  let x = odd
  for (let i = 0; i < 5; i++) x = Math.imul(x, 2 - Math.imul(odd, x))
  return x
}

const C1 = 0xcc9e2d51
const C2 = 0x1b873593
const rotl = (x: number, by: number) => (x << by) | (x >>> (32 - by))
const mixed = (block: number) => Math.imul(rotl(Math.imul(block, C1), 15), C2)

/** The seed under which MurmurHash3 (x86, 32 bits) of `text` is `hash`. There is exactly one, since every step can be undone. */
function seedOf(text: string, hash: number): number {
  const bytes = Buffer.from(text)
  let h = hash
  h ^= h >>> 16
  h = Math.imul(h, inverse(0xc2b2ae35))
  h ^= (h >>> 13) ^ (h >>> 26)
  h = Math.imul(h, inverse(0x85ebca6b))
  h ^= h >>> 16
  h ^= bytes.length
  const whole = bytes.length & ~3
  if (whole < bytes.length) h ^= mixed(bytes.readUIntLE(whole, bytes.length - whole))
  for (let at = whole - 4; at >= 0; at -= 4) {
    h = rotl(Math.imul(h - 0xe6546b64, inverse(5)), 19) ^ mixed(bytes.readUInt32LE(at))
  }
  return h >>> 0
}

/**
 * The attack on codes that are murmur hashes written in base62: every pair of seeds that explains all the codes. What a
 * code leaves open of the 64 bits is tried out, the seeds are computed from the first pair and checked on the others.
 */
export function seedsFrom(pairs: readonly { url: string; code: string }[]): [number, number][] {
  const [first, ...rest] = pairs
  if (!first) return []
  const { length } = first.code
  const step = SPACE ** BigInt(length)
  let value = [...first.code].reduce((sum, digit) => sum * SPACE + BigInt(ALPHABET.indexOf(digit)), 0n)
  const found: [number, number][] = []
  for (; value < 1n << 64n; value += step) {
    const seeds: [number, number] = [seedOf(first.url, Number(value >> 32n)), seedOf(first.url, Number(value & 0xffffffffn))]
    const explains = ({ url, code }: { url: string; code: string }) =>
      base62(murmurhash.v3(url, seeds[0]), murmurhash.v3(url, seeds[1]), length) === code
    if (rest.every(explains)) found.push(seeds)
  }
  return found
}
