import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inEnglish } from '@/lib/i18n/translate'
import { MAX_URL_LENGTH, parseDestination } from './destination'

const hrefOf = (input: string) => {
  const parsed = parseDestination(input)
  return parsed.ok ? parsed.href : null
}

/** What is said of an address that is refused. */
function problemOf(input: string): string {
  const parsed = parseDestination(input)
  return parsed.ok ? '' : inEnglish(parsed.problem)
}

describe('a destination', () => {
  it.each([
    ['https://example.com', 'https://example.com/'],
    ['http://example.com:80/a?b#c', 'http://example.com/a?b#c'],
    ['HTTPS://EXAMPLE.com/Path', 'https://example.com/Path'],
    ['https://münchen.de/straße', 'https://xn--mnchen-3ya.de/stra%C3%9Fe'],
    ['https://例え.テスト/', 'https://xn--r8jz45g.xn--zckzah/'],
    ['https://example.com/a b', 'https://example.com/a%20b'],
    ['https://example.com/a/../b', 'https://example.com/b'],
    ['https://example.com/?q=%zz&r=1%202', 'https://example.com/?q=%zz&r=1%202'],
    ['https://example.com:8443/', 'https://example.com:8443/'],
    ['http://[2001:db8::1]:8080/', 'http://[2001:db8::1]:8080/'],
    ['http://0x7f.1/', 'http://127.0.0.1/'],
    ['  https://example.com/  ', 'https://example.com/'],
    ['https://example.com/javascript:alert(1)', 'https://example.com/javascript:alert(1)'],
    ['https://example.com/@user:pw', 'https://example.com/@user:pw'],
  ])('%s is stored as WHATWG writes it', (input, href) => {
    expect(hrefOf(input)).toBe(href)
  })

  it.each([
    ['javascript:alert(1)', 'http:// or https://'],
    ['JaVaScRiPt:alert(1)', 'http:// or https://'],
    ['data:text/html,<script>alert(1)</script>', 'http:// or https://'],
    ['file:///etc/passwd', 'http:// or https://'],
    ['ftp://example.com/', 'http:// or https://'],
    ['mailto:a@example.com', 'http:// or https://'],
    ['blob:https://example.com/x', 'http:// or https://'],
    ['view-source:https://example.com/', 'http:// or https://'],
    ['example.com', 'whole URL'],
    ['www.example.com/x', 'whole URL'],
    ['/relative', 'whole URL'],
    ['//example.com/x', 'whole URL'],
    ['', 'whole URL'],
    ['http://', 'whole URL'],
    ['https://exa mple.com/', 'whole URL'],
    ['https://example.com:99999/', 'whole URL'],
    ['http://user:pw@host/', 'username and password'],
    ['https://user@example.com/', 'username and password'],
    ['https://:pw@example.com/', 'username and password'],
    ['https://trusted.example@evil.example/', 'username and password'],
    ['java\nscript:alert(1)', 'control characters'],
    ['https://example.com/\r\nSet-Cookie: a=b', 'control characters'],
    ['https://example.com/\0', 'control characters'],
    ['\thttps://example.com/', 'control characters'],
    ['https://example.com/\u007f', 'control characters'],
    ['https://example.com/\u0085', 'control characters'],
  ])('%j is refused', (input, problem) => {
    expect(problemOf(input)).toContain(problem)
  })

  it('may have 8,192 characters and no more, as given and as stored', () => {
    const ofLength = (length: number) => `https://example.com/${'x'.repeat(length - 20)}`
    expect(hrefOf(ofLength(MAX_URL_LENGTH))).toHaveLength(8192)
    expect(problemOf(ofLength(MAX_URL_LENGTH + 1))).toContain('8,192')
    const growing = `https://example.com/${'é'.repeat(2_000)}`
    expect(growing.length).toBeLessThan(MAX_URL_LENGTH)
    expect(problemOf(growing)).toContain('encoding')
  })

  it('that is accepted is http or https, pure ASCII without controls, and accepted unchanged again', () => {
    const parts = fc.array(
      fc.constantFrom(
        'http',
        'https',
        'javascript',
        ':',
        '//',
        '@',
        '/',
        '\\',
        '?',
        '#',
        'a',
        '.',
        'example.com',
        ' ',
        '%',
        '\n',
        'é',
        '[',
        ']',
      ),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webUrl(),
          fc.string({ unit: 'binary' }),
          parts.map((all) => all.join('')),
        ),
        (input) => {
          const parsed = parseDestination(input)
          if (!parsed.ok) {
            expect(inEnglish(parsed.problem)).not.toBe('')
            return
          }
          expect(parsed.href).toMatch(/^https?:\/\/[!-~]+$/)
          expect(parsed.href).toBe(new URL(input).href)
          expect(parseDestination(parsed.href)).toEqual(parsed)
          const { username, password } = new URL(parsed.href)
          expect(username + password).toBe('')
        },
      ),
      { numRuns: 2_000 },
    )
  })
})
