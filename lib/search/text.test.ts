import { describe, expect, it } from 'vitest'
import { holds, termsOf, textOf } from './text'

const link = (title: string, url = 'https://example.com/', code = 'Ab3xYz1') => ({ code, title, url })
const found = (q: string, one: ReturnType<typeof link>) => holds(one, termsOf(q))

describe('a search', () => {
  it.each([
    ['tube', link('', 'https://www.youtube.com/watch?v=1')],
    ['outub', link('', 'https://www.youtube.com/watch?v=1')],
    ['ou', link('', 'https://www.youtube.com/watch?v=1')],
    ['e.com/w', link('', 'https://www.youtube.com/watch?v=1')],
    ['3XYZ', link('')],
    ['YOU TUBE', link('', 'https://www.youtube.com/')],
    ['größe', link('Große GROESSE und GRÖSSE')],
    ['GROSSE', link('große Größe')],
    ['strasse', link('Lange Straße 3')],
    ['STRASSE', link('Lange Straße 3')],
    ['straße', link('Lange STRASSE 3')],
    ['ubersicht', link('Die Übersicht')],
    ['über', link('Die U\u0308bersicht')],
    ['本語', link('日本語の本')],
    ['語', link('日本語の本')],
    ['京都 日本', link('日本語 in 京都市')],
    ['한', link('대한민국')],
    ['🎉', link('Party 🎉 now')],
    ['y 🎉 n', link('Party 🎉 now')],
    ['👩‍💻', link('By 👩‍💻 at work')],
    ['100%', link('Now 100% off')],
    ['a_b', link('so a_b it is')],
    ['\\', link('a \\ b')],
    ["'", link("it's")],
    ['%', link('', 'https://example.com/a%20b')],
    ['müller', link('', 'https://www.xn--mller-kva.de/')],
    ['xn--mller', link('', 'https://www.xn--mller-kva.de/')],
    ['größe', link('', 'https://example.com/gr%C3%B6%C3%9Fe')],
    ['東京', link('', 'https://example.com/%E6%9D%B1%E4%BA%AC')],
    ['%E6%9D', link('', 'https://example.com/%E6%9D%B1%E4%BA%AC')],
  ])('for %s finds what holds it', (q, one) => expect(found(q, one)).toBe(true))

  it.each([
    ['tube you video', link('', 'https://www.youtube.com/')],
    ['100%', link('Now 100 off')],
    ['a_b', link('so acb it is')],
    ['a%b', link('so aXXb it is')],
    ['日本', link('本日')],
    ['🎉', link('🎊')],
    ['wholetext', link('whole', 'https://text.example/')],
    ['x y1', link('xy')],
  ])('for %s does not find what lacks some of it', (q, one) => expect(found(q, one)).toBe(false))

  it('reads broken percent-encoding and broken punycode as they are', () => {
    const broken = link('', 'https://xn--a-.example/%ff%zz%')
    expect(['%ff', '%zz', 'xn--a-'].map((q) => found(q, broken))).toEqual([true, true, true])
  })

  it('reads no more of a link than its code, its title, and the longest destination as it is stored', () => {
    const path = 'a'.repeat(8_000)
    const widest = { code: 'c'.repeat(128), title: 'ﷺ'.repeat(255) }
    const whole = textOf({ ...widest, url: `https://example.com/${path}end` })
    expect([whole.includes('cccc'), whole.endsWith('end'), whole.length > 8_000 + 255 * 18]).toEqual([true, true, true])
    for (const url of [
      `https://example.com/?${'%EF%B7%BA'.repeat(900)}`,
      `https://example.com/?xn--976${path}`,
      `https://xn--976${path}.example/`,
      `https://xn--976${path}@example.com/`,
      `https://${'xn--976aaaa.'.repeat(700)}example/`,
    ]) {
      expect(textOf({ ...widest, url }).length).toBeLessThanOrEqual(16_384)
    }
  })

  it.each(['https://example.com/?q=', 'https://example.com/', 'https://example.com/#', 'https://user:'])(
    'decodes punycode in a host alone: not behind %s',
    (before) => {
      expect(found('müller', link('', `${before}xn--mller-kva@example.com/`))).toBe(false)
      expect(found('müller', link('', 'https://user:pw@xn--mller-kva.example:8080/xn--a'))).toBe(true)
    },
  )

  it('counts eight terms at most, each once', () => {
    expect(termsOf('a b A c d e f g h i')).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])
    expect(termsOf(' \u0301 ')).toEqual([])
  })
})
