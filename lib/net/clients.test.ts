import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { parseRanges } from './address'
import { Clients, networkOf, UNKNOWN_CLIENT } from './clients'

const PROXIES = parseRanges(['10.0.0.0/8', '2001:db8:ffff::/48'])
const nothing = () => undefined

describe("a client's network", () => {
  it.each([
    ['203.0.113.9', '203.0.113.0'],
    ['255.255.255.255', '255.255.255.0'],
    ['::ffff:203.0.113.9', '203.0.113.0'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::'],
    ['2001:DB8:1::', '2001:db8:1::'],
    ['::1', '::'],
    ['fe80::1%eth0', 'fe80::'],
    ['unknown', ''],
    ['', ''],
    ['203.0.113.9:80', ''],
  ])('of %s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })

  it('is the same for a whole /24 or /48, and never the address', () => {
    const byte = fc.integer({ min: 0, max: 255 })
    fc.assert(
      fc.property(byte, byte, byte, byte, fc.integer({ min: 1, max: 255 }), (a, b, c, d, e) => {
        expect(networkOf(`${a}.${b}.${c}.${d}`)).toBe(`${a}.${b}.${c}.0`)
        expect(networkOf(`${a}.${b}.${c}.${e}`)).not.toBe(`${a}.${b}.${c}.${e}`)
      }),
    )
    const group = fc.integer({ min: 0x1000, max: 0xffff }).map((number) => number.toString(16))
    const groups = (count: number) => fc.array(group, { minLength: count, maxLength: count }).map((parts) => parts.join(':'))
    fc.assert(
      fc.property(groups(3), groups(5), (network, host) => {
        expect(networkOf(`${network}:${host}`)).toBe(`${network}::`)
      }),
    )
  })
})

describe('a client', () => {
  it('is told by its socket alone where no proxy is trusted, and the header is not even read', () => {
    const forwarded = vi.fn(() => '198.51.100.1')
    const clients = new Clients(parseRanges([]))
    expect(clients.of('203.0.113.9', forwarded)).toEqual({ address: '203.0.113.9', network: '203.0.113.0', viaProxy: false })
    expect(forwarded).not.toHaveBeenCalled()
  })

  it('that is no trusted proxy is told by its socket, whatever it writes', () => {
    const clients = new Clients(PROXIES)
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.ipV4(), fc.ipV6(), fc.constant('10.0.0.1')), (written) => {
        const client = clients.of('203.0.113.9', () => written)
        expect(client).toEqual({ address: '203.0.113.9', network: '203.0.113.0', viaProxy: false })
      }),
    )
  })

  it('behind a trusted proxy is the one that the proxy names', () => {
    const clients = new Clients(PROXIES)
    expect(clients.of('10.1.2.3', () => '198.51.100.7')).toEqual({
      address: '198.51.100.7',
      network: '198.51.100.0',
      viaProxy: true,
    })
    expect(clients.of('2001:db8:ffff::1', () => '2001:db8:1:2::3')).toEqual({
      address: '2001:db8:1:2::3',
      network: '2001:db8:1::',
      viaProxy: true,
    })
    expect(clients.of('10.1.2.3', nothing)).toEqual({ address: '10.1.2.3', network: '10.1.2.0', viaProxy: true })
  })

  it('without a socket is unknown', () => {
    expect(new Clients(PROXIES).of(undefined, () => '198.51.100.7')).toEqual(UNKNOWN_CLIENT)
    expect(new Clients(parseRanges([])).of(undefined, nothing)).toEqual(UNKNOWN_CLIENT)
  })

  it('is never taken for another that was seen before', () => {
    const clients = new Clients(PROXIES)
    const address = fc.constantFrom('10.0.0.1', '203.0.113.9', '::1', undefined)
    const header = fc.constantFrom('198.51.100.1', '198.51.100.2', '', '10.0.0.1', '198.51.100.1, 10.0.0.9', undefined)
    fc.assert(
      fc.property(address, header, (socket, forwarded) => {
        expect(clients.of(socket, () => forwarded)).toEqual(new Clients(PROXIES).of(socket, () => forwarded))
      }),
    )
  })
})

describe('the memory of clients', () => {
  it('gives the same client without parsing again', () => {
    const clients = new Clients(PROXIES)
    const first = clients.of('10.1.2.3', () => '198.51.100.7')
    expect(clients.of('10.1.2.3', () => '198.51.100.7')).toBe(first)
  })

  it('keeps no long header, of which a client can send as many as it likes', () => {
    const clients = new Clients(PROXIES)
    const long = `${'x'.repeat(4_000)}, 198.51.100.7`
    const first = clients.of('10.1.2.3', () => long)
    expect(first.address).toBe('198.51.100.7')
    expect(clients.of('10.1.2.3', () => long)).not.toBe(first)
  })

  it('forgets the oldest of many', () => {
    const clients = new Clients(parseRanges([]))
    const first = clients.of('203.0.113.9', nothing)
    for (let i = 0; i < 20_000; i++) clients.of(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`, nothing)
    expect(clients.of('203.0.113.9', nothing)).not.toBe(first)
  })
})
