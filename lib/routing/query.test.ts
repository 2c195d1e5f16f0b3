import { describe, expect, it } from 'vitest'
import { withQuery } from './query'

const AT = 'https://example.com/page'

describe('a query that is passed on', () => {
  it.each([
    ['nothing', AT, '', AT],
    ['a question mark alone', AT, '?', AT],
    ['one parameter', AT, '?ref=x', `${AT}?ref=x`],
    ['to an address with a question mark alone', `${AT}?`, '?ref=x', `${AT}?ref=x`],
    ['behind what is there', `${AT}?a=1`, '?b=2', `${AT}?a=1&b=2`],
    ['before the fragment', `${AT}?a=1#top?b`, '?b=2', `${AT}?a=1&b=2#top?b`],
    ['a plus and its escape', AT, '?q=a+b%2Bc%20d', `${AT}?q=a+b%2Bc%20d`],
    ['empty values and names without one', AT, '?a=&b&=c', `${AT}?a=&b&=c`],
    ['a key that comes again', AT, '?a=1&a=2&a=1', `${AT}?a=1&a=2&a=1`],
    ['escapes in any case', AT, '?q=%c3%A9', `${AT}?q=%c3%A9`],
    ['a percent sign that escapes nothing', AT, '?q=100%&r=%zz', `${AT}?q=100%&r=%zz`],
    ['brackets, slashes, colons', AT, '?a[0]=x&u=https://b/?c', `${AT}?a[0]=x&u=https://b/?c`],
    ['bytes of UTF-8 that were not escaped', AT, `?q=${Buffer.from('é').toString('latin1')}`, `${AT}?q=%C3%A9`],
    ['line breaks, which would end the header', AT, '?q=a\r\nb', `${AT}?q=a%0D%0Ab`],
  ])('%s', (_, destination, query, expected) => {
    expect(withQuery(destination, query, 'forward')).toBe(expected)
  })

  it('is left out where the destination has a parameter of that name', () => {
    expect(withQuery(`${AT}?ref=own&x`, '?ref=theirs&x=1&y=2', 'forward')).toBe(`${AT}?ref=own&x&y=2`)
    expect(withQuery(`${AT}?a%62=own&c+d=own`, '?ab=theirs&c%20d=theirs', 'forward')).toBe(`${AT}?a%62=own&c+d=own`)
  })

  it('takes the place of the destination’s where it is told to', () => {
    expect(withQuery(`${AT}?ref=own&x&ref=2#f`, '?ref=theirs&y=2', 'override')).toBe(`${AT}?x&ref=theirs&y=2#f`)
  })

  it('is a header that node sends, whatever was sent', () => {
    for (let code = 0; code < 256; code++) {
      expect(withQuery(AT, `?q=${String.fromCharCode(code)}`, 'forward')).toMatch(/^[!-~]+$/)
    }
  })
})
