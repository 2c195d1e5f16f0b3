import { expect, it } from 'vitest'
import { Format } from './format'

const [english, german] = [new Format('en-US'), new Format('de')]

it('writes numbers as the locale does, rounded where they are large', () => {
  expect(english.number(12_345)).toBe('12,345')
  expect(german.number(12_345)).toBe('12.345')
  expect(english.compact(9_999)).toBe('9,999')
  expect(english.compact(12_345)).toBe('12.3K')
})

it('a share that is not none does not read as none', () => {
  expect(english.share(1, 3)).toBe('33%')
  expect(english.share(4, 1_000)).toBe('0.4%')
  expect(english.share(1, 1_000_000)).toBe('<0.1%')
  expect(english.share(0, 0)).toBe('0%')
})

it('writes ratios so that close ones can be told apart', () => {
  expect(english.ratio(5, 4)).toBe('1.25')
  expect(german.ratio(1, 1)).toBe('1,00')
})

it('writes amounts and lengths of time in units that people use', () => {
  expect(english.bytes(1_536)).toBe('1.5 kB')
  expect(english.ms(12.3)).toBe('12 ms')
  expect(english.span(0)).toBe('0 sec')
  expect(english.span(90_061)).toBe('1 day 1 hr')
  expect([english.span(3_599, 'long'), english.span(3_600, 'long')]).toEqual(['59 minutes, 59 seconds', '1 hour'])
})

it('names countries and languages, and leaves alone what is neither', () => {
  expect(german.country('FR')).toBe('Frankreich')
  expect(german.language('pt')).toBe('Portugiesisch')
  expect(english.country('T1')).toBe('T1')
  expect(english.language('not a language')).toBe('not a language')
})

it('a day without a zone is the same in every zone', () => {
  expect(english.date('2026-11-21')).toBe('Nov 21, 2026')
})
