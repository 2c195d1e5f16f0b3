import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withPath } from './path'

describe('what stands behind the code', () => {
  it.each([
    ['https://a.example/', '/b', 'https://a.example/b'],
    ['https://a.example/docs', '/b/c', 'https://a.example/docs/b/c'],
    ['https://a.example/docs/', '/b/', 'https://a.example/docs/b/'],
    ['https://a.example/docs?x=1', '/b', 'https://a.example/docs/b?x=1'],
    ['https://a.example/docs#top', '/b', 'https://a.example/docs/b#top'],
    ['https://a.example/?x=/y#/z', '/b', 'https://a.example/b?x=/y#/z'],
    ['https://a.example/docs', '', 'https://a.example/docs'],
    ['https://a.example/', '//evil.example', 'https://a.example//evil.example'],
    ['https://a.example/', '/\\evil.example', 'https://a.example/%5Cevil.example'],
    ['https://a.example/', '/@evil.example', 'https://a.example/@evil.example'],
    ['https://a.example/', '/a%2Fb+c%2B/%ff', 'https://a.example/a%2Fb+c%2B/%ff'],
    ['https://a.example/', '/caf\u00c3\u00a9', 'https://a.example/caf%C3%A9'],
    ['https://a.example/', '/a#b?c', 'https://a.example/a%23b%3Fc'],
  ])('%s and %s make %s', (destination, extra, expected) => {
    expect(withPath(destination, extra)).toBe(expected)
  })

  it('never leads to another host, above the destination’s path, or out of a header', () => {
    const segment = fc.string({ unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)) })
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 5 }), (segments) => {
        const extra = segments.map((part) => `/${part.replaceAll('%', '')}`).join('')
        if (segments.some((part) => /^\.{1,2}$/.test(part.replaceAll('%', '')))) return
        const made = withPath('https://a.example/docs?q#f', extra)
        expect(made).toMatch(/^[!-~]+$/)
        const read = new URL(made)
        expect([read.host, read.search, read.hash]).toEqual(['a.example', '?q', '#f'])
        if (!/\/\.{1,2}(\/|$)/.test(extra)) expect(read.pathname.startsWith('/docs/')).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })
})
