import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parsePath } from './path'

describe('a request path', () => {
  it.each([
    ['/abc', 'abc', false],
    ['/abc+', 'abc', true],
    ['/abc/', 'abc', false],
    ['/a/b/c', 'a/b/c', false],
    ['/a%2Fb', 'a/b', false],
    ['/%61bc', 'abc', false],
    ['/caf%C3%A9', 'caf\u00e9', false],
    ['/cafe%CC%81', 'caf\u00e9', false],
    ['/%E6%98%A5%E5%A4%A9+', '春天', true],
    ['/123456', '123456', false],
  ])('%s names the code %s', (path, code, preview) => {
    expect(parsePath(path)).toEqual({ kind: 'code', code, preview })
  })

  it.each(['/%', '/%2', '/%zz', '/%C3', '/%ff', '/abc%', '/%E0%A4%A', '/%+'])('%s is malformed', (path) => {
    expect(parsePath(path)).toEqual({ kind: 'malformed' })
  })

  it.each([
    '',
    '/',
    '/+',
    '//',
    '//abc',
    '/abc//',
    '/a//b',
    '/..',
    '/../etc/passwd',
    '/%2e%2e/x',
    '/a/../b',
    '/%00',
    '/abc%00',
    '/a%0d%0ab',
    '/a b',
    '/a%20b',
    '/abc++',
    '/abc%2B',
    '/a.b',
    '/a%5Cb',
    '/wp-login.php',
    `/${'a'.repeat(129)}`,
    `/${'a'.repeat(10_240)}`,
    `/${'%61'.repeat(10_000)}`,
    `/${'%'.repeat(10_000)}`,
  ])('%s names nothing that could be a link', (path) => {
    expect(parsePath(path)).toEqual({ kind: 'not-found' })
  })

  it('never throws, and every code it names is in NFC and of a length that fits the column', () => {
    const percent = fc.array(fc.constantFrom('%', '/', '+', '.', 'a', '%2', '%F0%9F', '%CC%81', '\0', 'é', '..'), {
      maxLength: 60,
    })
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          percent.map((parts) => parts.join('')),
        ),
        (text) => {
          const path = parsePath(`/${text}`)
          if (path.kind !== 'code') return
          expect(path.code).not.toMatch(/^$|^\/|\/$|\/\/|\p{Cc}|[ .%+?#\\]/u)
          expect([...path.code].length).toBeLessThanOrEqual(128)
          if (text.includes('%')) expect(path.code).toBe(path.code.normalize('NFC'))
        },
      ),
      { numRuns: 2_000 },
    )
  })
})
