import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codeProblem, normalCode } from './custom'
import { foldCode } from './fold'
import { codeProblemOn } from './on-domain'

/** Every letter, mark and digit that a code may have. */
const LETTERS = Array.from({ length: 0x110000 }, (_, i) => i)
  .filter((point) => point < 0xd800 || point > 0xdfff)
  .map((point) => String.fromCodePoint(point))
  .filter((letter) => /[\p{L}\p{M}\p{N}_-]/u.test(letter))

const codes = fc
  .array(
    fc.oneof(
      fc.nat(LETTERS.length - 1).map((i) => LETTERS[i] as string),
      fc.constantFrom(...'aAbBzZ09-_sSkKßẞſσςΣiIıİǅ\u0345\u0307'),
      fc.constant('/'),
    ),
  )
  .map((letters) => normalCode(letters.join('')))

describe('the folded form of a code', () => {
  it('is the same in capitals and in small letters', () => {
    expect(foldCode('Spring')).toBe('spring')
    expect(foldCode('sPRING/Sale_2-X')).toBe('spring/sale_2-x')
    expect(foldCode('ÄPFEL')).toBe('äpfel')
    expect(foldCode('ΟΔΟΣ')).toBe(foldCode('οδος'))
    expect(foldCode('ПРИВЕТ')).toBe('привет')
    expect(foldCode('春天')).toBe('春天')
  })

  it('keeps letters that no single letter folds to, whatever the language of the server', () => {
    expect(foldCode('Straße')).toBe('straße')
    expect(foldCode('STRAẞE')).toBe('straße')
    expect(foldCode('İstanbul')).toBe('İstanbul')
    expect(foldCode('ıI')).toBe('ıi')
  })

  it('is reached at once: folding it again changes nothing, and neither does NFC', () => {
    fc.assert(
      fc.property(codes, (code) => {
        const folded = foldCode(code)
        expect(foldCode(folded)).toBe(folded)
        expect(normalCode(folded)).toBe(folded)
        expect([...folded].length).toBeLessThanOrEqual([...code].length)
      }),
      { numRuns: 2_000 },
    )
  })

  it('is one for all letters that are the same without regard to case, and for no others', () => {
    const cased = LETTERS.filter((letter) =>
      [letter.toLowerCase(), letter.toUpperCase(), foldCode(letter)].some((one) => one !== letter),
    )
    for (const letter of cased.map(normalCode)) {
      expect(new RegExp(`^${letter}$`, 'iu').test(foldCode(letter)), `${letter} ${foldCode(letter)}`).toBe(true)
    }
    for (const letter of cased) {
      for (const other of [letter.toLowerCase(), letter.toUpperCase()]) {
        if ([...other].length !== 1 || !new RegExp(`^${letter}$`, 'iu').test(other)) continue
        expect(foldCode(normalCode(other)), `${letter} ${other}`).toBe(foldCode(normalCode(letter)))
      }
    }
  })

  it("is not one of the application's own words where the code itself is none", () => {
    for (const code of ['ſtats', 'Dashboard', 'ADMIN'])
      expect(codeProblem(code) ?? codeProblemOn(code, { isBase: true, spoken: true }), code).not.toBeNull()
  })
})
