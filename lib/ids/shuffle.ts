import { randomFillSync } from 'node:crypto'

/** Numbers in a list of a pool. */
export const LIST_SIZE = 1_000

/**
 * The numbers with so many digits that are not in `used`, in random order: the shuffle of R. Fisher and F. Yates, as
 * R. Durstenfeld gave it (Algorithm 235, CACM 1964), over cryptographic random numbers.
 */
export function shuffledPool(digits: number, used: ReadonlySet<number>): number[] {
  const pool: number[] = []
  for (let number = 10 ** (digits - 1); number < 10 ** digits; number++) if (!used.has(number)) pool.push(number)
  const below = createRandomSource()
  for (let i = pool.length - 1; i > 0; i--) {
    const j = below(i + 1)
    const [one, other] = [pool[i] as number, pool[j] as number]
    pool[i] = other
    pool[j] = one
  }
  return pool
}

/** Random whole numbers from 0 to `bound` - 1, all equally likely; drawn many at a time, as one by one is ten times slower. */
function createRandomSource(): (bound: number) => number {
  const numbers = new Uint32Array(16_384)
  let next = numbers.length
  return (bound) => {
    // What lies beyond the greatest multiple of the bound would make the smaller numbers likelier.
    const limit = 2 ** 32 - (2 ** 32 % bound)
    for (;;) {
      if (next === numbers.length) {
        randomFillSync(numbers)
        next = 0
      }
      const drawn = numbers[next++] as number
      if (drawn < limit) return drawn % bound
    }
  }
}
