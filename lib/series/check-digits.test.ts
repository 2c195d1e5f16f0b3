import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkDigits, isChecked } from './check-digits'
import { writeNumber } from './format'
import { CHECKS } from './values'

const WITH_CHECK = CHECKS.filter((check) => check !== 'none')
const digits = fc.stringMatching(/^[0-9]{1,20}$/)

describe('check digits', () => {
  it.each([
    // US patent 2950048 as it is commonly shown; a card number that every bank’s test has.
    ['luhn', '7992739871', '3'],
    ['luhn', '411111111111111', '1'],
    // The examples of ISO/IEC 7064.
    ['mod11-10', '0794', '5'],
    ['mod97-10', '794', '44'],
    ['none', '794', ''],
  ] as const)('by %s of %s are “%s”', (check, text, expected) => {
    expect(checkDigits(text, check)).toBe(expected)
    expect(isChecked(text + expected, check)).toBe(true)
  })

  it('leave out letters and signs', () => {
    for (const check of WITH_CHECK) expect(checkDigits('T-2027-0042', check)).toBe(checkDigits('20270042', check))
  })

  it.each(WITH_CHECK)('by %s show every digit that is wrong', (check) => {
    fc.assert(
      fc.property(digits, fc.nat(), fc.integer({ min: 1, max: 9 }), (text, at, by) => {
        const whole = text + checkDigits(text, check)
        const place = at % whole.length
        const wrong = String((Number(whole[place]) + by) % 10)
        expect(isChecked(whole.slice(0, place) + wrong + whole.slice(place + 1), check)).toBe(false)
      }),
    )
  })

  it('by MOD 97-10 show any two neighbours that changed places', () => {
    fc.assert(
      fc.property(digits, fc.nat(), (text, at) => {
        const whole = text + checkDigits(text, 'mod97-10')
        const place = at % (whole.length - 1)
        const [one = '', other = ''] = whole.slice(place, place + 2)
        fc.pre(one !== other)
        expect(isChecked(whole.slice(0, place) + other + one + whole.slice(place + 2), 'mod97-10')).toBe(false)
      }),
    )
  })
})

describe('a number as it is written', () => {
  const at = new Date('2027-03-09T23:59:59Z')
  it.each([
    [{ prefix: 'T-', date: 'none', digits: 5, check: 'none' }, 'T-00042'],
    [{ prefix: '', date: 'yyMMdd', digits: 1, check: 'none' }, '27030942'],
    [{ prefix: 'A', date: 'yyyy-MM-dd', digits: 3, check: 'luhn' }, 'A2027-03-090425'],
    [{ prefix: '', date: 'yyyyMM', digits: 2, check: 'mod97-10' }, `20270342${checkDigits('20270342', 'mod97-10')}`],
  ] as const)('by %o is “%s”', (format, expected) => {
    expect(writeNumber(format, 42, at)).toBe(expected)
  })

  it('is never that of another number', () => {
    const format = { prefix: 'A1', date: 'yyMMdd', digits: 3, check: 'mod11-10' } as const
    const texts = Array.from({ length: 20_000 }, (_, number) => writeNumber(format, number, at))
    expect(new Set(texts).size).toBe(texts.length)
  })
})
