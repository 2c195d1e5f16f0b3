import { describe, expect, it } from 'vitest'
import { destinationName } from './destination-name'
import { Routing, type RoutingFields } from './routing'
import { otherUrls, routedUrls } from './urls'

const LINK = { id: '117093590311632896', url: 'https://example.com/all?a=1' }
const [A, B, IOS] = ['https://example.com/a', 'https://example.com/b', 'https://example.com/ios'] as const
const VISITOR = {
  ...{ device: 'mobile', os: 'iOS', browser: 'Safari', language: 'de', country: 'DE', city: 'Berlin', referrer: '' },
  ...{ query: '?ref=x', address: '203.0.113.9', visitor: '0123456789abcdef' },
}
const SPLIT = {
  variants: [
    { url: A, weight: 50 },
    { url: B, weight: 50 },
  ],
}
const RULES: RoutingFields['rules'] = [{ when: [{ of: 'os', in: ['iOS'] }], url: IOS }]
const choose = (fields: RoutingFields, visitor = VISITOR) =>
  Routing.of(JSON.stringify(fields))?.choose(LINK, visitor, Date.now(), '')

describe('where a visitor goes', () => {
  it('is called by the address of the destination, without the query that is passed on', () => {
    expect(choose({ rules: RULES, query: 'forward' })).toEqual({ url: `${IOS}?ref=x`, destination: IOS })
    expect(choose({ rules: RULES, query: 'forward' }, { ...VISITOR, os: 'Android' })).toEqual({
      url: `${LINK.url}&ref=x`,
      destination: LINK.url,
    })
  })

  it('has no name where there is one destination alone', () => {
    expect(choose({ query: 'forward' })).toEqual({ url: `${LINK.url}&ref=x`, destination: '' })
  })

  it('is one of a split, and the one that stays once there is one', () => {
    const chosen = choose({ split: SPLIT })
    expect([A, B]).toContain(chosen?.url)
    expect(choose({ split: SPLIT })).toEqual(chosen)
    for (const winner of [A, B]) {
      expect(choose({ split: { ...SPLIT, winner } })).toEqual({ url: winner, destination: winner })
      expect(choose({ rules: RULES, split: { ...SPLIT, winner } })?.url).toBe(IOS)
    }
  })
})

describe('the name of a destination', () => {
  it('is its address, as far as a column has room, and else tells long ones apart', () => {
    const long = `https://example.com/${'x'.repeat(300)}`
    expect(destinationName(A)).toBe(A)
    expect(destinationName(long.slice(0, 255))).toBe(long.slice(0, 255))
    for (const url of [long, `${long}?a`]) expect(destinationName(url)).toHaveLength(255)
    expect(destinationName(long)).not.toBe(destinationName(`${long}?a`))
    expect(destinationName(long)).toBe(destinationName(long))
  })
})

it('the blocklist is asked about every destination that visitors can be led to, and they see the same', () => {
  const fields = { rules: RULES, split: { ...SPLIT, winner: B } }
  const asked = (routing: RoutingFields) => routedUrls(routing).map(({ path, url }) => [path, url])
  expect(asked({ rules: RULES, split: SPLIT })).toEqual([
    ['routing.rules.0.url', IOS],
    ['routing.split.variants.0.url', A],
    ['routing.split.variants.1.url', B],
  ])
  expect(asked(fields)).toEqual([
    ['routing.rules.0.url', IOS],
    ['routing.split.variants.1.url', B],
  ])
  expect(otherUrls('https://own.example/', fields)).toEqual([IOS, B])
  expect(otherUrls(A, { split: SPLIT })).toEqual([B])
  expect(otherUrls(A, { query: 'forward' })).toEqual([])
  expect(otherUrls(A, null)).toEqual([])
})
