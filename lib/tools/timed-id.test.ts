import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { firstTimedIdAt, madeAt, timedId } from './timed-id'

describe('a timed id', () => {
  it('tells its time, and ids sort by it', () => {
    const time = fc.integer({ min: 0, max: 2 ** 48 - 1 })
    fc.assert(
      fc.property(time, time, (a, b) => {
        const [first, second] = [timedId(a), timedId(b)]
        expect(first).toMatch(/^[0-9a-f]{32}$/)
        expect(madeAt(first)).toBe(a)
        expect(first >= firstTimedIdAt(a)).toBe(true)
        if (a !== b) expect(first < firstTimedIdAt(b)).toBe(a < b)
        if (a !== b) expect(first < second).toBe(a < b)
      }),
    )
  })

  it('is another for each of one millisecond', () => {
    expect(new Set(Array.from({ length: 10_000 }, () => timedId(1))).size).toBe(10_000)
  })
})
