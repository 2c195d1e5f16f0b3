import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { nameIn, valueIn } from './query-pieces'

/** What it has to give, by an exception. */
function byException(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

const byte = (n: number) => `%${n.toString(16).padStart(2, '0')}`

it('names and values are decoded where that is possible, and stay as they are otherwise', () => {
  const piece = fc.oneof(
    fc.integer({ min: 0, max: 255 }).map(byte),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }).map((character) => {
      return Buffer.from(character).reduce((text, n) => text + byte(n), '')
    }),
    fc.constantFrom('%', '%4', '%g0', '+', 'a', 'ü', '%C3', '%c3%BC', '%u0041'),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      const text = pieces.join('')
      expect(nameIn(`${text}=1`)).toBe(byException(text))
      expect(valueIn(`a=${text}`)).toBe(byException(text))
    }),
    { numRuns: 5_000 },
  )
})

it('every start of a character of UTF-8 is told from what is none', () => {
  for (let first = 0; first < 256; first++) {
    for (let second = 0; second < 256; second++) {
      for (const rest of ['', '%80', '%bf%80']) {
        const text = byte(first) + byte(second) + rest
        if (valueIn(`a=${text}`) !== byException(text)) expect.fail(text)
      }
    }
  }
})

it('nothing is decoded that would throw: an exception for each of thousands of parameters keeps every redirect waiting', () => {
  const decode = vi.spyOn(globalThis, 'decodeURIComponent')
  for (const text of ['%', '%4', '%zz', '%ff', '%c3', '%c0%80', '%ed%a0%80', '%f5%80%80%80', 'a+%', '%41+%c3%bc']) nameIn(text)
  expect(decode.mock.results.map(({ type }) => type)).toEqual(['return'])
})
