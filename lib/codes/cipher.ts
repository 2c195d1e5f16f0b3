import { type Cipher, createCipheriv } from 'node:crypto'
import { ALPHABET, base62 } from './base62'

const ROUNDS = 10

/**
 * A keyed permutation of all codes of one length. To anyone without the key it is a random one: whatever pairs of a number
 * and its code are known, or can be asked for, the code of another number stays any of those that are left.
 *
 * It has the structure of FF1 (NIST SP 800-38G): the digits are halved, and in each of ten rounds a keyed function of
 * one half, here one AES-256 block, is added to the other.
 */
export class CodeCipher {
  private readonly aes: Cipher
  private readonly block = Buffer.alloc(16)
  private readonly left: number
  private readonly right: number
  private readonly leftSize: number
  private readonly rightSize: number

  /**
   * @param key 32 bytes
   * @param length of the codes, 2 to 10
   * @param alphabet of at most 62 characters
   */
  constructor(
    key: Buffer,
    private readonly length: number,
    private readonly alphabet = ALPHABET,
  ) {
    // One block at a time and never the same one twice for two purposes: ECB is here the bare block cipher.
    this.aes = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false)
    this.left = Math.floor(length / 2)
    this.right = length - this.left
    this.leftSize = alphabet.length ** this.left
    this.rightSize = alphabet.length ** this.right
  }

  /** The code that stands for the 64-bit number `high * 2^32 + low`, of which the lowest digits are taken. */
  encipher(high: number, low: number): string {
    const number = (BigInt(high) << 32n) | BigInt(low)
    let right = Number(number % BigInt(this.rightSize))
    let left = Number((number / BigInt(this.rightSize)) % BigInt(this.leftSize))
    for (let round = 0; round < ROUNDS; round++) {
      if (round % 2 === 0) left = (left + this.function(round, right, this.leftSize)) % this.leftSize
      else right = (right + this.function(round, left, this.rightSize)) % this.rightSize
    }
    return base62(0, left, this.left, this.alphabet) + base62(0, right, this.right, this.alphabet)
  }

  /** A number below `size` (at most 62^5) that depends on all arguments and the key. */
  private function(round: number, half: number, size: number): number {
    this.block[0] = this.length
    this.block[1] = round
    this.block.writeUInt32BE(half, 4)
    const random = this.aes.update(this.block)
    // 76 random bits: what the remainder prefers of some numbers to others is less than 2^-46. No step leaves 2^53.
    const first = random.readUInt32BE(0) % size
    const second = (first * 2 ** 22 + (random.readUInt32BE(4) >>> 10)) % size
    return (second * 2 ** 22 + (random.readUInt32BE(8) >>> 10)) % size
  }
}
