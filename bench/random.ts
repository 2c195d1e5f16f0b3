/** Numbers in [0, 1) that are the same in every run: mulberry32 (T. Ettinger, 2017). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A shuffled copy (Fisher and Yates). */
export function shuffled<T>(items: readonly T[], seed: number): T[] {
  const random = createRandom(seed)
  const copy = [...items]
  for (let i = copy.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    const held = copy[i] as T
    copy[i] = copy[j] as T
    copy[j] = held
  }
  return copy
}

/** Draws from 1..n in which rank r comes up in proportion to 1/r: Zipf's law with exponent 1.0. */
export function zipfDraws(n: number, count: number, seed: number): Uint32Array {
  const sums = new Float64Array(n)
  let sum = 0
  for (let rank = 1; rank <= n; rank++) {
    sum += 1 / rank
    sums[rank - 1] = sum
  }
  const random = createRandom(seed)
  return Uint32Array.from({ length: count }, () => firstAbove(sums, random() * sum) + 1)
}

function firstAbove(sums: Float64Array, value: number): number {
  let low = 0
  let high = sums.length - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sums[middle] as number) > value) high = middle
    else low = middle + 1
  }
  return low
}
