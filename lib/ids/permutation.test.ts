import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Permutation } from './permutation'

const upTo = (size: number) => Array.from({ length: size }, (_, i) => i)

describe('the permutation', () => {
  it.each([1, 2, 3, 10, 97, 10_000, 100_000])('of %i positions sends each to a place of its own, and back', (size) => {
    const permutation = new Permutation('secret', size)
    const images = upTo(size).map((position) => permutation.forward(position))
    expect([...images].sort((a, b) => a - b)).toEqual(upTo(size))
    expect(images.map((image) => permutation.backward(image))).toEqual(upTo(size))
  })

  it('is undone for any secret, size and position', () => {
    const cases = fc
      .tuple(fc.string(), fc.integer({ min: 1, max: 20_000 }))
      .chain(([secret, size]) => fc.tuple(fc.constant(new Permutation(secret, size)), fc.nat(size - 1), fc.constant(size)))
    fc.assert(
      fc.property(cases, ([permutation, position, size]) => {
        const image = permutation.forward(position)
        expect(image).toBeLessThan(size)
        expect(permutation.backward(image)).toBe(position)
      }),
      { numRuns: 50 },
    )
  })

  it('does not let one number tell the next: no step between neighbours is common', () => {
    const permutation = new Permutation('secret', 10_000)
    const steps = new Map<number, number>()
    for (const position of upTo(9_999)) {
      const step = (permutation.forward(position + 1) - permutation.forward(position) + 10_000) % 10_000
      steps.set(step, (steps.get(step) ?? 0) + 1)
    }
    // 9,999 steps over 10,000 values: of 100,000 random orders, one has a step that comes 12 times.
    expect(Math.max(...steps.values())).toBeLessThan(12)
  })

  it('is another for another secret and another size', () => {
    const images = (secret: string, size: number) => upTo(100).map((position) => new Permutation(secret, size).forward(position))
    expect(images('secret', 10_000)).toEqual(images('secret', 10_000))
    expect(images('secret', 10_000)).not.toEqual(images('Secret', 10_000))
    expect(images('secret', 10_000)).not.toEqual(images('secret', 100_000))
  })
})
