import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { placing, SeenCodes } from './seen-codes'

/** Of these every combination has the same MurmurHash3, by the seed 0x11d5. */
const PIECES = [
  ['n247ikdc', 'f3y6xd7t', 'p32qmxmk'],
  ['dqeff5ei', 'zrjzs7w3', '22psfpdj'],
  ['cjmj6p4f', 'dj5sa5cz', 'uttzzqfs'],
]

describe('the lines of short links', () => {
  it('are those in which each was first, whatever the order', () => {
    const row = fc.record({ full: fc.stringMatching(/^[ab]{1,4}$/), line: fc.integer({ min: 1, max: 9_999 }) })
    fc.assert(
      fc.property(fc.array(row, { maxLength: 3_000 }), (rows) => {
        const seen = new SeenCodes()
        const first = new Map<string, number>()
        for (const { full, line } of rows) {
          seen.add(full, line)
          first.set(full, Math.min(line, first.get(full) ?? line))
        }
        for (const [full, line] of first) expect([seen.before(full, line), seen.before(full, line + 1)]).toEqual([null, line])
        expect(seen.before('c', 10_000)).toBeNull()
      }),
    )
  })

  it('are kept in places that nobody can make codes for', () => {
    const codes = PIECES.reduce((all, pieces) => all.flatMap((begun) => pieces.map((piece) => begun + piece)), ['localhost/aa'])
    const places = [placing(), placing()].flatMap((placeOf) => codes.map((code) => placeOf(code)[1]))
    expect(new Set(places).size).toBe(54)
  })
})
