import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ALPHABET, base62 } from './base62'
import { CodeCipher } from './cipher'

const key = (name: string) => createHash('sha256').update(name).digest()
/** How many places of two codes are the same. */
const same = (one: string, two: string) => [...one].filter((character, place) => character === two[place]).length

/** All codes of one length, in the order of their numbers. */
const codes = (cipher: CodeCipher, length: number) => Array.from({ length: 62 ** length }, (_, n) => cipher.encipher(0, n))

describe('the permutation of codes', () => {
  it.each([2, 3])('gives every code of %i characters exactly once', (length) => {
    const all = codes(new CodeCipher(key('a'), length), length)
    expect(new Set(all).size).toBe(62 ** length)
    expect(all.join('')).toMatch(/^[0-9A-Za-z]*$/)
    expect(all.every((code) => code.length === length)).toBe(true)
  })

  it('takes the lowest base62 digits of all 64 bits, at every length', () => {
    const uint32 = fc.integer({ min: 0, max: 0xffff_ffff })
    fc.assert(
      fc.property(uint32, uint32, uint32, uint32, fc.integer({ min: 2, max: 10 }), (h1, l1, h2, l2, length) => {
        const cipher = new CodeCipher(key('a'), length)
        const equal = base62(h1, l1, length) === base62(h2, l2, length)
        expect(cipher.encipher(h1, l1) === cipher.encipher(h2, l2)).toBe(equal)
        expect(cipher.encipher(h1, l1)).toHaveLength(length)
      }),
    )
  })

  it('leaves no place of a code alike when the number differs by one: as many as in unrelated codes', () => {
    const cipher = new CodeCipher(key('a'), 7)
    let alike = 0
    for (let n = 0; n < 20_000; n++) alike += same(cipher.encipher(0, n * 977), cipher.encipher(0, n * 977 + 1))
    // 140,000 places, of which one in 62 is alike by chance: 2,258, with a deviation of 47.
    expect(alike).toBeGreaterThan(2_258 - 5 * 47)
    expect(alike).toBeLessThan(2_258 + 5 * 47)
  })

  it('uses every character at every place equally often', () => {
    const cipher = new CodeCipher(key('a'), 7)
    const counts = Array.from({ length: 7 }, () => new Array<number>(62).fill(0))
    const numbers = 31_000
    for (let n = 0; n < numbers; n++) {
      for (const [place, character] of [...cipher.encipher(0, n)].entries()) {
        const row = counts[place] ?? []
        row[ALPHABET.indexOf(character)] = (row[ALPHABET.indexOf(character)] ?? 0) + 1
      }
    }
    const expected = numbers / 62
    for (const row of counts) {
      const chiSquare = row.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
      // 61 degrees of freedom: beyond 130 in one of two million.
      expect(chiSquare).toBeLessThan(130)
    }
  })

  it('is an unrelated one for another account and for another length', () => {
    const [one, two] = [codes(new CodeCipher(key('a'), 2), 2), codes(new CodeCipher(key('b'), 2), 2)]
    // Of two unrelated orders, about one element stands at the same place in both.
    expect(one.filter((code, n) => code === two[n]).length).toBeLessThan(10)
    const longer = codes(new CodeCipher(key('a'), 3), 2)
    expect(one.filter((code, n) => longer[n]?.endsWith(code)).length).toBeLessThan(10)
  })

  it('does not carry a known difference from one pair to another', () => {
    const cipher = new CodeCipher(key('a'), 2)
    const place = (code: string) => [...code].reduce((sum, character) => sum * 62 + ALPHABET.indexOf(character), 0)
    const steps = new Map<number, number>()
    for (let n = 0; n < 62 ** 2 - 1; n++) {
      const step = (place(cipher.encipher(0, n + 1)) - place(cipher.encipher(0, n)) + 62 ** 2) % 62 ** 2
      steps.set(step, (steps.get(step) ?? 0) + 1)
    }
    // 3,843 steps over 3,844 values: of 100,000 random orders, one has a step that comes 11 times.
    expect(Math.max(...steps.values())).toBeLessThan(11)
  })
})
