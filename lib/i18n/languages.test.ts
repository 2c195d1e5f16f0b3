import { expect, it, vi } from 'vitest'
import { negotiate } from './languages'

it('a language that is not spoken is answered in English', () => {
  expect(negotiate('')).toEqual({ language: 'en', locale: 'en-GB' })
  expect(negotiate('*')).toEqual({ language: 'en', locale: 'en-GB' })
  expect(negotiate('tlh, sv;q=0.9')).toEqual({ language: 'en', locale: 'en-GB' })
})

it('numbers and dates follow the region of the reader', () => {
  expect(negotiate('en-US,en;q=0.9')).toEqual({ language: 'en', locale: 'en-US' })
  expect(negotiate('en,en-AU;q=0.5')).toEqual({ language: 'en', locale: 'en-AU' })
})

it('a language chosen by hand wins over the browser’s, if Terse speaks it', () => {
  expect(negotiate('sv', 'en').language).toBe('en')
  expect(negotiate('en-US', 'constructor')).toEqual({ language: 'en', locale: 'en-US' })
})

it('a header that nobody understands is no reason to fail', () => {
  for (const header of ['en-', '-', ';;;', 'x'.repeat(5000), 'en-\u0000', 'en-a-b-c-d', '😀']) {
    expect(() => new Intl.NumberFormat(negotiate(header).locale), header).not.toThrow()
  }
})

it('no more of a header is read than browsers send, however many tags it has that are none', () => {
  const asked = vi.spyOn(Intl.DateTimeFormat, 'supportedLocalesOf')
  expect(negotiate('en-,'.repeat(3_700)).language).toBe('en')
  expect(asked.mock.calls.length).toBeLessThanOrEqual(50)
})
