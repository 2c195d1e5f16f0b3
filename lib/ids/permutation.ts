import { createHmac } from 'node:crypto'

const ROUNDS = 10

/**
 * A keyed permutation of 0 to `size` - 1: what looks like a random order to anyone without the secret.
 * The generalised Feistel cipher of J. Black and P. Rogaway, "Ciphers with Arbitrary Finite Domains" (CT-RSA 2002): a number is
 * written as two digits to the bases a and b with ab >= size, each round adds a keyed function of one digit to the other,
 * and what falls outside is enciphered again until it falls inside (their cycle walking). Ten rounds, as in NIST's FF1.
 */
export class Permutation {
  private readonly a: number
  private readonly b: number
  /** For each round, what is added for each value of the other digit. */
  private readonly rounds: Uint32Array[]

  constructor(
    secret: string,
    private readonly size: number,
  ) {
    this.a = Math.ceil(Math.sqrt(size))
    this.b = Math.ceil(size / this.a)
    this.rounds = Array.from({ length: ROUNDS }, () => new Uint32Array(this.a))
    // One SHA-512 for each value has enough bits for all rounds. Tables, since a hash for each number would be slow.
    for (let value = 0; value < this.a; value++) {
      const digest = createHmac('sha512', secret).update(`spoken:${size}:${value}`).digest()
      for (const [round, table] of this.rounds.entries()) table[value] = digest.readUInt32BE(round * 4)
    }
  }

  /** Where `position` is sent. */
  forward(position: number): number {
    let value = position
    do value = this.encipher(value)
    while (value >= this.size)
    return value
  }

  /** What is sent to `image`. */
  backward(image: number): number {
    let value = image
    do value = this.decipher(value)
    while (value >= this.size)
    return value
  }

  private encipher(value: number): number {
    let left = value % this.a
    let right = Math.floor(value / this.a)
    for (const [round, table] of this.rounds.entries()) {
      const sum = (left + (table[right] ?? 0)) % (round % 2 === 0 ? this.a : this.b)
      left = right
      right = sum
    }
    return this.a * right + left
  }

  private decipher(value: number): number {
    let left = value % this.a
    let right = Math.floor(value / this.a)
    for (let round = ROUNDS - 1; round >= 0; round--) {
      const base = round % 2 === 0 ? this.a : this.b
      const added = (this.rounds[round]?.[left] ?? 0) % base
      const before = (right - added + base) % base
      right = left
      left = before
    }
    return this.a * right + left
  }
}
