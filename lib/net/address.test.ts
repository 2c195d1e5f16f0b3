import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clientAddress, limitKey, parseRanges, publicAddress } from './address'

const NONE = parseRanges([])
const PROXIES = parseRanges(['10.0.0.0/8', '192.0.2.1', '2001:db8::/32'])

describe("a client's address", () => {
  it.each([
    ['the socket’s, without a trusted proxy', '203.0.113.9', undefined, NONE, '203.0.113.9'],
    ['never what the client wrote', '203.0.113.9', '1.2.3.4', NONE, '203.0.113.9'],
    ['never what the client wrote, though proxies exist', '203.0.113.9', '1.2.3.4, 10.0.0.1', PROXIES, '203.0.113.9'],
    ['what a trusted proxy says', '10.1.2.3', '203.0.113.9', PROXIES, '203.0.113.9'],
    ['the last value, not the first, which anyone can write', '10.1.2.3', '1.2.3.4, 203.0.113.9', PROXIES, '203.0.113.9'],
    ['behind a chain of trusted proxies', '10.1.2.3', '1.2.3.4, 203.0.113.9, 192.0.2.1, 10.9.9.9', PROXIES, '203.0.113.9'],
    ['the farthest proxy, when all are trusted', '10.1.2.3', '10.0.0.7', PROXIES, '10.0.0.7'],
    ['the proxy’s, when it says nothing', '10.1.2.3', undefined, PROXIES, '10.1.2.3'],
    ['the proxy’s, when it says nonsense', '10.1.2.3', '203.0.113.9, unknown', PROXIES, '10.1.2.3'],
    ['the last sound hop, when the next is nonsense', '10.1.2.3', '1.2.3.4, <script>, 10.5.5.5', PROXIES, '10.5.5.5'],
    ['without the port a proxy adds', '10.1.2.3', '203.0.113.9:51234', PROXIES, '203.0.113.9'],
    ['an IPv6 address', '10.1.2.3', '2001:DB9::1', PROXIES, '2001:db9::1'],
    ['an IPv6 address in brackets with a port', '10.1.2.3', '[2001:db9::1]:443', PROXIES, '2001:db9::1'],
    ['behind an IPv6 proxy', '2001:db8:5::1', '203.0.113.9', PROXIES, '203.0.113.9'],
    ['an IPv4 client of a dual-stack socket', '::ffff:203.0.113.9', undefined, NONE, '203.0.113.9'],
    ['behind an IPv4 proxy of a dual-stack socket', '::ffff:10.1.2.3', '203.0.113.9', PROXIES, '203.0.113.9'],
    ['an IPv4 address mapped by a proxy', '10.1.2.3', '::ffff:203.0.113.9', PROXIES, '203.0.113.9'],
    ['unknown, when there is no socket any more', undefined, '203.0.113.9', PROXIES, 'unknown'],
  ])('is %s', (_, socket, forwarded, trusted, address) => {
    expect(clientAddress(socket, forwarded, trusted)).toBe(address)
  })

  it('cannot be chosen by whatever a client puts in front of what the proxy appends', () => {
    const spoofed = fc.array(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string(), fc.constant('10.0.0.1')), { maxLength: 6 })
    fc.assert(
      fc.property(spoofed, (values) => {
        const header = [...values, '203.0.113.9'].join(', ')
        expect(clientAddress('10.1.2.3', header, PROXIES)).toBe('203.0.113.9')
        expect(clientAddress('203.0.113.9', header, PROXIES)).toBe('203.0.113.9')
      }),
    )
  })
})

describe('trusted proxies', () => {
  it.each([
    'example.com',
    '10.0.0.0/33',
    '10.0.0',
    '10',
    '010.0.0.1',
    '10.0.0.1/',
    '10.0.0.1/8/8',
    '::1/129',
    '300.1.1.1',
    'x/8',
  ])('that are none are refused by name: %s', (text) => {
    expect(() => parseRanges(['10.0.0.1', text], 'TRUSTED_PROXIES: ')).toThrow(`TRUSTED_PROXIES: “${text}”`)
  })
})

describe('the key of a rate limit', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
    ['2001:db8:1:2:ffff::1', '2001:db8:1:2::'],
    ['2001:db8:1:3::1', '2001:db8:1:3::'],
    ['unknown', 'unknown'],
  ])('of %s is %s: an IPv6 client has a whole /64', (address, key) => {
    expect(limitKey(address)).toBe(key)
  })
})

describe('a public address', () => {
  it.each([
    ['8.8.8.0', { family: 4, text: '8.8.8.0' }],
    ['::ffff:8.8.8.0', { family: 4, text: '8.8.8.0' }],
    ['2A02:8108:0::', { family: 6, text: '2a02:8108::' }],
    ['10.0.0.0', null],
    ['169.254.1.0', null],
    ['100.64.0.0', null],
    ['::', null],
    ['fd00:1::', null],
    ['2001:db8::', null],
    ['10.1', null],
    ['unknown', null],
    ['', null],
  ])('%j is %j', (text, address) => {
    expect(publicAddress(text)).toEqual(address)
  })
})
