import { describe, expect, it } from 'vitest'
import { looksParked } from './parking'

const SIZE = 128 * 1024
const here = new URL('https://shop.example/')
const parked = (html: string) => looksParked(here, here, html)

/** How long the quickest of three looks at a page takes, in ms. */
const quickest = (html: string) =>
  Math.min(
    ...[1, 2, 3].map(() => {
      const begun = performance.now()
      parked(html)
      return performance.now() - begun
    }),
  )

describe('looksParked', () => {
  it.each([
    ['a title that offers the host', '<TITLE lang="en">shop.example: this domain is for sale</title>', true],
    ['a title that offers another', '<title>this domain is for sale</title>', false],
    ['a title without an end', '<title>buy this domain: shop.example', true],
    ['a title far behind its beginning', `<title>${'x'.repeat(300)}shop.example is for sale`, false],
    ['a beginning of a title alone', '<title shop.example this domain is for sale', false],
    ['the mark of a parking service', `<html data-adblockkey="${'A'.repeat(40)}">`, true],
    ['half of such a mark', `<html data-adblockkey="${'A'.repeat(12)}">`, false],
  ])('judges a page with %s', (_, html, expected) => {
    expect(parked(html)).toBe(expected)
  })

  // What could be read in a time that grows with the square of the page takes thousands of times as long.
  const harmless = quickest('<p>fine</p> '.repeat(SIZE / 12))
  it.each(
    [
      ...['<title', '<TITLE ', '<title>', '<title><title', 'sedoparking.com/', 'img.sedoparking.com', 'parkingcrew.net/js'],
      ...['window.park=', 'window.park     ', 'window.park = "', 'wsimg.com/parking', '/parking-lander', 'data-adblockkey="'],
      ...[`data-adblockkey="${'A'.repeat(19)}`, 'this domain name is for ', 'buy this ', ' ', 'A', '<'],
    ].flatMap((piece) => [piece, `<title>${piece}`, `window.park${piece}`].map((one) => [one])),
  )('reads a page full of %j in about the time of any other', (piece) => {
    const page = piece.repeat(Math.ceil(SIZE / piece.length)).slice(0, SIZE)
    expect(quickest(page)).toBeLessThan(100 * Math.max(harmless, 1))
  })
})
