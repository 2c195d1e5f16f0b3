import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parsePath } from '@/lib/redirect/path'
import { codeProblem, isCodeShaped } from './custom'
import { foreignApiOf } from './foreign-paths'
import { codeProblemOn } from './on-domain'

/** On the host of BASE_URL, for whoever chooses it. */
const customCodeProblem = (code: string) => codeProblem(code) ?? codeProblemOn(code, { isBase: true, spoken: true })

const NFD_E = 'e\u0301'

describe('a custom code', () => {
  it.each([
    ['letters and digits', 'Spring2027'],
    ['hyphens and underscores', '-a_b-'],
    ['one letter', 'x'],
    ['seven digits', '1234567'],
    ['Greek', 'άνοιξη'],
    ['Arabic', 'ربيع'],
    ['Chinese', '春天'],
    ['Devanagari, with its combining marks', 'हिन्दी'],
    ['Thai, with its combining marks', 'สวัสดี'],
    ['digits of another script', '٣٤٥'],
    ['segments', 'team/2027/spring'],
    ['128 characters', 'a'.repeat(128)],
    ['128 characters outside the basic plane', '𐐀'.repeat(128)],
    ['a reserved word behind the first segment', 'team/api'],
    ['words of two alphabets', 'α-version/до'],
    ['a Cyrillic word', 'админка'],
    ['a Greek capital beside digits', 'Δ2027'],
    ['kana, kanji and Latin letters', 'Tシャツ春'],
    ['dots and tildes', '~v1.2.~'],
    ['all other signs that a path has as they are', "a!$&'()*+,;=:@z"],
    ['an emoji', '🎉'],
    ['emoji with selectors, joiners and colors of skin', '❤️👩🏽‍💻👨‍👩‍👧'],
    ['flags', '🇩🇪🏴󠁧󠁢󠁳󠁣󠁴󠁿'],
    ['a Persian word with its joiner', 'می‌خواهم'],
    ['an at sign', '@a'],
    ['a word of the API', 'bulk'],
    ['three dots', '...'],
    ['segments that begin with a dot', '.a/..b'],
  ])('may be made of %s', (_, code) => {
    expect(customCodeProblem(code)).toBeNull()
  })

  it.each([
    ['empty', ''],
    ['a reserved word with a dotted capital', 'ADMİN'],
    ['a reserved word with a mark in it', 'ad\u0338min'],
    ['129 characters long', 'a'.repeat(129)],
    ['129 characters outside the basic plane', '𐐀'.repeat(129)],
    ['a slash at the front', '/a'],
    ['a slash at the end', 'a/'],
    ['two slashes in a row', 'a//b'],
    ['a step upwards', '../a'],
    ['a space', 'a b'],
    ['a plus, which asks for the preview', 'a+'],
    ['a percent sign', 'a%20'],
    ['a dot alone', '.'],
    ['two dots as a segment', 'a/..'],
    ['the ending that asks for a QR code', 'a.qr'],
    ['a quote', 'a"b'],
    ['a tag that is in no flag', 'a\u{e0061}'],
    ['a joiner at the end', 'می\u200c'],
    ['a question mark', 'a?b'],
    ['a hash sign', 'a#b'],
    ['a backslash', 'a\\b'],
    ['NUL', 'a\0b'],
    ['a line break', 'a\n'],
    ['a zero-width joiner', 'a\u200db'],
    ['a right-to-left override', 'a\u202eb'],
    ['half a surrogate pair', 'a\ud800'],
    ['one digit', '7'],
    ['six digits', '123456'],
    ['a reserved word', 'api'],
    ['a reserved word in capitals', 'DASHBOARD'],
    ['a reserved word as first segment', 'docs/mine'],
    ['a reserved word with a Cyrillic letter', '\u0430dmin'],
    ['a reserved word in Cyrillic letters alone', '\u0430\u0440\u0456'],
    ['a reserved word in wide letters', 'ａｄｍｉｎ'],
    ['a reserved word with a dotless i', 'adm\u0131n/mine'],
    ['a word of Latin and Cyrillic letters', 'p\u0430ypal'],
    ['a word of Latin and Greek letters', 'g\u03bfogle'],
  ])('may not be or hold: %s', (_, code) => {
    expect(customCodeProblem(code)).not.toBeNull()
  })

  const letter = fc.constantFrom(...'aZ09_-.~+!$=:@éßжא春ह\u093f\u0301𐐀٣🎉')
  const segment = fc.array(letter, { minLength: 1, maxLength: 20 }).map((letters) => letters.join(''))
  const code = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => segments.join('/').normalize('NFC'))

  it('that was accepted is found again under its percent-encoded path', () => {
    fc.assert(
      fc.property(code, (chosen) => {
        fc.pre(customCodeProblem(chosen) === null)
        const path = `/${chosen.split('/').map(encodeURIComponent).join('/')}`
        expect(parsePath(path)).toEqual({ kind: 'code', code: chosen, preview: false })
        expect(parsePath(`${path}+`)).toEqual({ kind: 'code', code: chosen, preview: true, literal: `${chosen}+` })
      }),
    )
  })

  it('is the same in composed and decomposed form', () => {
    expect(parsePath(`/${encodeURIComponent(`caf${NFD_E}`)}`)).toEqual({ kind: 'code', code: 'caf\u00e9', preview: false })
  })

  it('is never accepted where the redirect would not look it up', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 140 }), code), (text) => {
        if (customCodeProblem(text.normalize('NFC')) === null) expect(isCodeShaped(text.normalize('NFC'))).toBe(true)
      }),
      { numRuns: 1_000 },
    )
  })
})

it('the paths of other shorteners’ APIs are no codes where BASE_URL is, and what is near them may be', () => {
  for (const path of [
    'yourls-api.php',
    'api/v2/links',
    'rest/v3/short-urls',
    'rest/health',
    '@12345678/yourls-api.php',
    'v4/shorten',
    'dub/links',
  ]) {
    expect([path, foreignApiOf(`/${path}`) !== null, codeProblemOn(path, { isBase: true })?.key]).toEqual([
      path,
      true,
      'forms.code.reserved',
    ])
  }
  for (const path of ['rest', 'rest/v4/x', 'yourls', 'v4', 'v4/shortener', 'dub', 'dub/rub']) {
    expect([path, foreignApiOf(`/${path}`), codeProblemOn(path, { isBase: true })]).toEqual([path, null, null])
  }
})
