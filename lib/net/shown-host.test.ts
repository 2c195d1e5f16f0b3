import { domainToASCII } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { visitorPages } from '@/lib/testing/brand'
import { linkRecord } from '@/lib/testing/links'
import { parseUrl } from '@/lib/tools/url'
import { unicodeHost } from './shown-host'

describe('a host is shown', () => {
  it.each([
    'münchen.de',
    'ışık.com',
    'łódź.pl',
    'việtnam.vn',
    'пример.рф',
    'пара.рф',
    'почта.com',
    'παράδειγμα.gr',
    '例え.jp',
    'ドメイン名例.jp',
    '中国.cn',
    '한국.kr',
    'ישראל.co.il',
    'مثال.com',
    'उदाहरण.com',
    'ไทยแลนด์.com',
    'shop-24.münchen.de:8443',
  ])('as it is read where nothing in it passes for another: %s', (shown) => {
    const [name = '', port] = shown.split(':')
    const host = domainToASCII(name) + (port ? `:${port}` : '')
    expect(host).toContain('xn--')
    expect(unicodeHost(host)).toBe(shown)
  })

  it.each([
    ['one letter of another script', 'аpple.com'],
    ['a word all in letters of another script', 'аррӏе.com'],
    ['the same below a true name', 'раураӏ.com.example.com'],
    ['a Greek letter', 'gοogle.com'],
    ['a Greek word', 'ταυ.com'],
    ['an Armenian word', 'օսո.com'],
    ['an i without its dot', 'paypaı.com'],
    ['a dot below', 'ạpple.com'],
    ['a script g', 'ɡoogle.com'],
    ['a Japanese letter that passes for a slash', 'example.comノlogin.example.org'],
    ['Japanese letters that pass for a slash alone', 'ノ.com'],
    ['a Chinese one that passes for a hyphen', '一.com'],
    ['a combining mark', 'appl\u0435\u0301.com'],
    ['Hebrew letters that pass for l and o', 'וסו.com'],
    ['a script that few can read', 'ᏀᎬᎠ.com'],
    ['digits of another script', '٣٤.com'],
    ['invisible characters between Arabic letters', 'نامه\u200cای.com'],
  ])('in ASCII where something passes for another: %s', (_, deceptive) => {
    const host = domainToASCII(deceptive)
    // Node 26 takes digits that are written from right to left for no host at all.
    if (host === '') return
    expect(host, deceptive).toContain('xn--')
    expect(unicodeHost(host)).toContain('xn--')
  })

  it('as nothing that leads elsewhere, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.domain(),
          fc.string().map((text) => `xn--${text}.com`),
          fc.string({ unit: 'grapheme' }),
        ),
        (host) => {
          const ascii = parseUrl(`http://${host}`)?.host ?? null
          if (ascii !== null) expect(new URL(`http://${unicodeHost(ascii)}`).host).toBe(ascii)
        },
      ),
    )
  })

  it('in the same way on the page that shows where a link leads', () => {
    const page = (url: string) => visitorPages().html({ name: 'preview', record: linkRecord({ url }) })
    const deceptive = page('https://xn--pple-43d.com/login')
    expect(deceptive).toContain('<strong>xn--pple-43d.com</strong>')
    expect(deceptive).toContain('Go to xn--pple-43d.com')
    expect(deceptive).not.toContain('аpple')
    expect(page('https://xn--mnchen-3ya.de:8443/')).toContain('<strong>münchen.de:8443</strong>')
  })
})
