import { describe, expect, it } from 'vitest'
import { sharedAddress } from './shared'

describe('what is shared with the front page', () => {
  it.each([
    ['its address', { url: 'https://example.com/a?b=c#d', title: 'A page' }, 'https://example.com/a?b=c#d'],
    ['the address in its text', { text: 'Look: https://example.com/a, now', title: 'A page' }, 'https://example.com/a'],
    ['the first of several', { text: 'http://a.test/1 and http://b.test/2' }, 'http://a.test/1'],
    ['the address in its title', { title: '“A page” (https://example.com/a).', text: 'Read this' }, 'https://example.com/a'],
    ['an address with a bracket of its own', { text: 'See https://a.test/wiki/Go_(game).' }, 'https://a.test/wiki/Go_(game)'],
    ['an address that ends as no sentence would', { url: ' https://a.test/x?y=). ' }, 'https://a.test/x?y=).'],
    ['what was typed, for the form to complete', { url: 'example.com/a' }, 'example.com/a'],
    ['nothing of a text without one', { text: 'Hello', title: 'A page' }, ''],
    ['nothing of nothing', {}, ''],
    ['no address that would run here', { text: 'javascript:alert(1)' }, ''],
  ])('is %s', (_, shared, address) => {
    expect(sharedAddress(shared)).toBe(address)
  })
})
