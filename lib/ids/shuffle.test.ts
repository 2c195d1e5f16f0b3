import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shuffledPool } from './shuffle'

const ascending = (numbers: number[]) => [...numbers].sort((a, b) => a - b)

describe('a shuffled pool', () => {
  it('holds every number with so many digits once', () => {
    expect(ascending(shuffledPool(5, new Set()))).toEqual(Array.from({ length: 90_000 }, (_, i) => 10_000 + i))
  })

  it('leaves out what is used, and nothing else', () => {
    const used = fc.uniqueArray(fc.integer({ min: 50, max: 1_100 }), { maxLength: 1_000 })
    fc.assert(
      fc.property(used, (numbers) => {
        const expected = Array.from({ length: 900 }, (_, i) => 100 + i).filter((number) => !numbers.includes(number))
        expect(ascending(shuffledPool(3, new Set(numbers)))).toEqual(expected)
      }),
    )
  })

  it('puts every number in every place equally often', () => {
    const ROUNDS = 18_000
    const counts = new Map<string, number>()
    for (let round = 0; round < ROUNDS; round++) {
      for (const [place, number] of shuffledPool(1, new Set()).entries()) {
        const cell = `${number} in ${place}`
        counts.set(cell, (counts.get(cell) ?? 0) + 1)
      }
    }
    expect(counts.size).toBe(81)
    // 2,000 each, with a standard deviation of 42: seven of them is beyond any chance.
    for (const count of counts.values()) expect(Math.abs(count - ROUNDS / 9)).toBeLessThan(300)
  })
})
