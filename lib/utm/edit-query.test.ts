import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { utmOf, withUtm } from './edit-query'
import { UTM_NAMES, type Utm } from './values'

const NONE: Utm = { source: '', medium: '', campaign: '', term: '', content: '' }

describe('the UTM parameters of a destination', () => {
  it.each([
    ['https://example.com/', 'https://example.com/?utm_source=news'],
    ['https://example.com/?a=%2B&b=+&c=&a=2&ü=ö#top?x', 'https://example.com/?a=%2B&b=+&c=&a=2&ü=ö&utm_source=news#top?x'],
    ['https://example.com/#/route?utm_source=inner', 'https://example.com/?utm_source=news#/route?utm_source=inner'],
    ['https://example.com/?utm_source=old&a=1', 'https://example.com/?utm_source=news&a=1'],
    ['https://example.com/?utm_source=a&x=1&utm_source=b&x=2', 'https://example.com/?utm_source=news&x=1&x=2'],
    ['https://example.com/?utm%5Fsource=old', 'https://example.com/?utm_source=news'],
    ['https://example.com/?&&a', 'https://example.com/?&&a&utm_source=news'],
    ['https://example.com/?', 'https://example.com/?utm_source=news'],
    ['https://example.com/?bad=%zz', 'https://example.com/?bad=%zz&utm_source=news'],
    ['example.com/page', 'example.com/page?utm_source=news'],
    ['', '?utm_source=news'],
  ])('are set in %s without touching anything else', (before, after) => {
    expect(withUtm(before, { source: 'news' })).toBe(after)
  })

  it.each([
    ['https://example.com/?utm_source=a', 'https://example.com/'],
    ['https://example.com/?a=1&utm_source=a&b=%2B#f', 'https://example.com/?a=1&b=%2B#f'],
    ['https://example.com/?a=1', 'https://example.com/?a=1'],
  ])('are taken out of %s', (before, after) => {
    expect(withUtm(before, { source: '' })).toBe(after)
  })

  it('are read as a server reads them', () => {
    expect(utmOf('https://example.com/?utm_source=a+b&utm_medium=%C3%BC&utm_term&utm_campaign=%zz&utm_source=c')).toEqual({
      ...NONE,
      source: 'a b',
      medium: 'ü',
      campaign: '%zz',
    })
  })

  const text = fc.array(fc.constantFrom('a', '%2B', '+', '%', '=', 'ü', '👩‍👩‍👧', '?', ' ', '%20', "'", '/'), { maxLength: 6 })
  const joined = text.map((parts) => parts.join(''))
  const parameter = fc.oneof(
    joined,
    fc.tuple(joined, joined).map(([key, value]) => `${key}=${value}`),
    fc.tuple(fc.constantFrom(...UTM_NAMES), joined).map(([name, value]) => `utm_${name}=${value}`),
  )
  const address = fc
    .record({
      path: joined,
      query: fc.option(fc.array(parameter, { minLength: 1, maxLength: 6 })),
      fragment: fc.option(joined),
    })
    .map(
      ({ path, query, fragment }) =>
        `https://example.com/${path.replaceAll('?', '')}${query === null ? '' : `?${query.join('&')}`}${fragment === null ? '' : `#${fragment}`}`,
    )
  const values = fc.record(Object.fromEntries(UTM_NAMES.map((name) => [name, fc.string({ unit: 'grapheme', maxLength: 20 })])), {
    requiredKeys: [],
  }) as fc.Arbitrary<Partial<Utm>>

  /** What of an address is none of them. */
  const rest = (of: string) => {
    const [before = '', ...fragment] = of.split(/(?=#)/)
    const [head, query = ''] = before.split(/\?(.*)/s)
    return [
      head,
      query.split('&').filter((one) => !/^utm_(source|medium|campaign|term|content)(=|$)/.test(one) && one !== ''),
      fragment,
    ]
  }

  it('are what they were set to, and nothing else is another', () => {
    fc.assert(
      fc.property(address, values, (given, set) => {
        const after = withUtm(given, set)
        expect(utmOf(after)).toEqual({ ...utmOf(given), ...set })
        expect(rest(after)).toEqual(rest(given))
        expect(withUtm(after, set)).toBe(after)
        expect(withUtm(given, utmOf(given))).toBe(given)
      }),
      { numRuns: 2_000 },
    )
  })
})
