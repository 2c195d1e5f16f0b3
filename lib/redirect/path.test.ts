import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSpokenCode } from '@/lib/codes/reserved'
import { codesAbove, parsePath } from './path'

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
    ['/abc%2B', 'abc+', false],
    ['/abc++', 'abc+', true],
    ['/a.b', 'a.b', false],
    ['/.qr', '.qr', false],
    ['/%F0%9F%8E%89', '🎉', false],
    // Raw UTF-8, as node hands it on.
    [Buffer.from('/🎉').toString('latin1'), '🎉', false],
    ['/wp-login.php', 'wp-login.php', false],
  ])('%s names the code %s', (path, code, preview) => {
    expect(parsePath(path)).toEqual({ kind: 'code', code, preview, ...(preview && { literal: `${code}+` }) })
  })

  it.each([
    ['/abc.qr', 'abc', 'svg'],
    ['/abc.qr.png', 'abc', 'png'],
    ['/a/b%2Eqr', 'a/b', 'svg'],
    ['/%E6%98%A5%E5%A4%A9.qr', '春天', 'svg'],
  ])('%s names the QR code of %s', (path, code, picture) => {
    const literal = `${code}.qr${picture === 'png' ? '.png' : ''}`
    expect(parsePath(path)).toEqual({ kind: 'code', code, preview: false, picture, literal })
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
    '/a%5Cb',
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
          expect(path.code).not.toMatch(/^$|^\/|\/$|\/\/|\p{Cc}|[ %?#\\]|(^|\/)\.\.?(\/|$)/u)
          expect([...path.code].length).toBeLessThanOrEqual(128)
          if (text.includes('%')) expect(path.code).toBe(path.code.normalize('NFC'))
        },
      ),
      { numRuns: 2_000 },
    )
  })
})

describe('the codes that a path may stand behind', () => {
  it.each<[string, [string, string][]]>([
    ['/docs', []],
    ['/docs/', []],
    ['/docs+', []],
    ['/docs/a', [['docs', '/a']]],
    ['/docs//', [['docs', '//']]],
    [
      '/docs/a/b',
      [
        ['docs/a', '/b'],
        ['docs', '/a/b'],
      ],
    ],
    [
      '/docs/a.b/c',
      [
        ['docs/a.b', '/c'],
        ['docs', '/a.b/c'],
      ],
    ],
    ['/d%6fcs/%zz', [['docs', '/%zz']]],
    ['/cafe%CC%81/x', [['caf\u00e9', '/x']]],
    [
      '/a/b/c/d/e/f',
      [
        ['a/b/c/d', '/e/f'],
        ['a/b/c', '/d/e/f'],
        ['a/b', '/c/d/e/f'],
        ['a', '/b/c/d/e/f'],
      ],
    ],
    // Numbers to be spoken are tried out one by one.
    ['/123456/x', []],
    ['/1234567/x', [['1234567', '/x']]],
    ['/docs/../x', []],
    ...['/docs/..%2fx', '/docs/..%5Cx', '/docs/..\\x', '/docs/x%2F%2e%2E/y', '/docs/..;/x', '/docs/..%3B/x'].map(
      (path) => [path, []] as [string, []],
    ),
    [
      '/docs/..x/x..',
      [
        ['docs/..x', '/x..'],
        ['docs', '/..x/x..'],
      ],
    ],
    ['/docs/x/.', []],
    ['/docs/%2E./x', []],
    ['/docs/..x', [['docs', '/..x']]],
    ['//docs/a', []],
    ['/%/a', []],
    [`/docs/${'x'.repeat(2_047)}`, [['docs', `/${'x'.repeat(2_047)}`]]],
    [`/docs/${'x'.repeat(2_048)}`, []],
  ])('%s: %j', (path, expected) => {
    expect(codesAbove(path, isSpokenCode).map(({ code, extra }) => [code, extra])).toEqual(expected)
    const shown = codesAbove(`${path}+`, isSpokenCode)
    expect(shown.every(({ preview }) => preview)).toBe(true)
    // Behind a slash alone there is nothing to lead to, and something to look at.
    if (!path.endsWith('/')) expect(shown.map(({ code, extra }) => [code, extra])).toEqual(expected)
  })
})
