import fc from 'fast-check'
import { expect, it } from 'vitest'
import { digitsOf, fromMinor, isCurrency, toMinor } from './money'

it('knows the currencies of ISO 4217 and their digits', () => {
  expect(['EUR', 'JPY', 'KWD'].map(digitsOf)).toEqual([2, 0, 3])
  expect(['EUR', 'USD', 'XOF', 'eur', 'XYZ', '', 'EURO'].map(isCurrency)).toEqual([true, true, true, false, false, false, false])
})

it('takes decimals that the currency has room for, and no others', () => {
  expect(['12.34', '12', '12.3', '-0.01', '12.340', '0'].map((text) => toMinor(text, 'EUR'))).toEqual([
    1234n,
    1200n,
    1230n,
    -1n,
    1234n,
    0n,
  ])
  for (const text of ['12.345', '', '.5', '5.', '1e3', '+1', '1,5', ' 1', 'NaN', 'Infinity', '١'])
    expect(toMinor(text, 'EUR')).toBeNull()
  expect([toMinor('5', 'JPY'), toMinor('5.5', 'JPY'), toMinor('1.234', 'KWD')]).toEqual([5n, null, 1234n])
})

it('writes what it reads, to the last digit', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), fc.constantFrom('EUR', 'JPY', 'KWD'), (minor, currency) => {
      expect(toMinor(fromMinor(minor, currency), currency)).toBe(minor)
    }),
  )
})
