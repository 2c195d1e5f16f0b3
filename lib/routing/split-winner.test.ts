import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FEWEST_VISITORS, type Outcome, splitWinner } from './split-winner'

const [A, B, C] = ['https://a.example/', 'https://b.example/', 'https://c.example/'] as const
const variants = [
  { url: A, weight: 90 },
  { url: B, weight: 9 },
  { url: C, weight: 1 },
]
const best = (outcomes: Partial<Record<string, [clicks: number, visitors: number, converted?: number]>>) =>
  splitWinner(variants, (url): Outcome => {
    const [clicks, visitors, converted = 0] = outcomes[url] ?? [0, 0]
    return { clicks, visitors, converted }
  })

describe('the destination that stays when a split ends', () => {
  it('has the most clicks per visitor, however many visitors its weight brought', () => {
    expect(best({ [A]: [10_000, 9_000], [B]: [1_200, 900], [C]: [110, 100] })).toBe(B)
  })

  it('is not one that too few people saw to tell', () => {
    expect(best({ [A]: [50, 40], [B]: [500, FEWEST_VISITORS - 1] })).toBe(A)
    expect(best({ [A]: [40, 40], [B]: [FEWEST_VISITORS + 1, FEWEST_VISITORS] })).toBe(B)
  })

  it('is the first where nothing tells them apart, or nobody came', () => {
    expect(best({})).toBe(A)
    expect(best({ [B]: [5, 5], [C]: [9, 5] })).toBe(A)
    expect(best({ [B]: [100, 50], [C]: [200, 100] })).toBe(B)
  })

  it('has the most conversions per visitor where some were reported, whatever was clicked', () => {
    expect(best({ [A]: [20_000, 9_000, 90], [B]: [900, 900, 18], [C]: [100, 100, 1] })).toBe(B)
    expect(best({ [A]: [50, 50, 0], [B]: [99, 50, 0], [C]: [20, 20, 20] })).toBe(B)
  })

  it('is always one of them', () => {
    const outcome = fc.tuple(fc.nat(1_000), fc.nat(1_000))
    fc.assert(
      fc.property(outcome, outcome, outcome, (a, b, c) => {
        expect([A, B, C]).toContain(best({ [A]: a, [B]: b, [C]: c }))
      }),
    )
  })
})
