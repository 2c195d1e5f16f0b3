import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { line, lines, toLine, toLines } from './line'

const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 4 }),
      fc.constantFrom(
        '\u202e',
        '\u2066',
        '\n',
        '\r\n',
        '\u2028',
        '\u200b',
        '\ud800',
        ' ',
        'a',
        '\u{1F3F4}',
        '\u{E0067}',
        '\u{E007F}',
      ),
    ),
  )
  .map((parts) => parts.join(''))

describe('one line', () => {
  it('never breaks, never turns what is beside it, and is the same when it is read again', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(toLine(text)).not.toMatch(/[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069\u200b\ufeff]/u)
        expect(toLine(toLine(text))).toBe(toLine(text))
        expect(toLines(text)).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b\ufeff\r\u2028]/u)
        expect(toLines(toLines(text))).toBe(toLines(text))
      }),
    )
  })

  it.each([
    ['a name that would be read backwards', 'Click \u202egpj.exe\u202c now', 'Click gpj.exe now'],
    ['line breaks', ' one\r\ntwo\u2028three\tfour ', 'one two three four'],
    ['a word with hidden parts', 'pay\u200bpal\u00ad\ufeff', 'paypal'],
    ['nothing that anyone sees', '\u200b \u202e\u2060 \u3164\u200d', ''],
    ['hidden tags', 'a\u{E0041}\u{E0042}', 'a'],
    ['half a character', 'a\ud800', 'a'],
  ])('loses %s', (_, text, shown) => expect(toLine(text)).toBe(shown))

  it.each([
    '👩‍👩‍👧‍👦',
    '🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}',
    'می‌خواهم',
    '\u200fשלום (1)\u200f!',
    '❤️',
    'Straße — « oui »',
    'q̣̇',
  ])('keeps what writing needs: %s', (text) => expect(toLine(text)).toBe(text.trim()))
})

it('several lines keep their breaks, and nothing else that is not seen', () => {
  expect(toLines('one\r\n\ttwo\u202e\n')).toBe('one\n\ttwo')
})

it('a limit is for what is left', () => {
  expect(line(3).parse('\u202ea\u200bb\nc'.replace('\n', ''))).toBe('abc')
  expect(line(3).safeParse('abcd').success).toBe(false)
  expect(lines(3).parse('a\r\nb')).toBe('a\nb')
})
