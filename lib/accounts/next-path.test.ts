import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextPath } from './next-path'

const BASE = 'https://short.example'

describe('the page after signing in', () => {
  it.each(['/', '/dashboard', '/dashboard/settings/keys?new=1#top', '/stats/abc?range=7d', '/admin/reports', '/docs'])(
    'is the one that was asked for: %s',
    (path) => expect(nextPath(path)).toBe(path),
  )

  it.each([
    undefined,
    '',
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    '/dashboard/..//evil.example',
    'javascript:alert(1)',
    '/some-short-link',
    '/api/auth/sign-out',
    'dashboard',
  ])('is the dashboard rather than %j', (next) => expect(nextPath(next)).toBe('/dashboard'))

  it('is on this site, whatever an address says', () => {
    const piece = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '\t',
      '\n',
      '@',
      ':',
      '?',
      '#',
      '%2f',
      'evil.example',
      'dashboard',
      'https:',
    )
    const text = fc.oneof(
      fc.string(),
      fc.array(piece).map((pieces) => pieces.join('')),
    )
    fc.assert(
      fc.property(text, (next) => {
        expect(new URL(nextPath(next), BASE).origin).toBe(BASE)
        // Also by a browser that goes there from that place once more.
        expect(nextPath(nextPath(next))).toBe(nextPath(next))
      }),
    )
  })
})
