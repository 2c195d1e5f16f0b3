import { createServer } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { atEnd } from '@/lib/testing/cleanup'
import { publicAddress } from './address'
import { fetchPublic, PrivateAddressError } from './fetch'

let asked = 0
const server = createServer((request, response) => {
  asked += 1
  if (request.url === '/hang') return
  if (request.url === '/away') return void response.writeHead(302, { Location: '/here' }).end()
  response.end(request.url === '/long' ? 'x'.repeat(100_000) : 'hello')
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as AddressInfo
atEnd(async () => {
  server.closeAllConnections()
  server.close()
})

const LIMITS = { timeout: 2_000, maxBytes: 1_000 }
/** Resolves every name to these, one after another. */
const leadingTo = (...addresses: string[]): LookupFunction => {
  let turn = 0
  return (_name, options, callback) => {
    const address = addresses[Math.min(turn++, addresses.length - 1)] ?? ''
    const family = address.includes(':') ? 6 : 4
    if (options.all) callback(null, [{ address, family }])
    else callback(null, address, family)
  }
}
const here = (path: string, host = '127.0.0.1') => new URL(`http://${host}:${port}${path}`)

describe('fetching what someone named', () => {
  it('gives the text, up to its limit', async () => {
    expect(await fetchPublic(here('/'), { ...LIMITS, allowPrivate: true })).toBe('hello')
    expect(await fetchPublic(here('/long'), { ...LIMITS, allowPrivate: true })).toHaveLength(1_000)
  })

  it('follows no redirect, and waits no longer than it may', async () => {
    await expect(fetchPublic(here('/away'), { ...LIMITS, allowPrivate: true })).rejects.toThrow('it answered 302')
    await expect(fetchPublic(here('/hang'), { timeout: 100, maxBytes: 10, allowPrivate: true })).rejects.toThrow()
  })

  it.each(['127.0.0.1', '2130706433', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]', 'localhost'])(
    'reaches nothing of this machine by %s',
    async (host) => {
      const before = asked
      await expect(fetchPublic(here('/', host), LIMITS)).rejects.toThrow(PrivateAddressError)
      expect(asked).toBe(before)
    },
  )

  it('reaches nothing of this machine by a name that leads there, at once or at the second look', async () => {
    const before = asked
    for (const addresses of [['127.0.0.1'], ['::1'], ['10.0.0.1', '8.8.8.8'], ['169.254.169.254']]) {
      const lookup = leadingTo(...addresses)
      await expect(fetchPublic(here('/', 'rebind.example'), { ...LIMITS, lookup })).rejects.toThrow(PrivateAddressError)
    }
    // Asked once, and connected to what that answer said: the second answer, ours, is never used.
    const lookup = leadingTo('192.0.2.1', '127.0.0.1')
    await expect(fetchPublic(here('/', 'rebind.example'), { timeout: 200, maxBytes: 10, lookup })).rejects.toThrow()
    expect(asked).toBe(before)
  })

  it('takes no private, local or special address for a public one', () => {
    const byte = fc.integer({ min: 0, max: 255 })
    const special = fc.oneof(
      fc.tuple(fc.constantFrom('10', '127', '0', '224', '240', '255'), byte, byte, byte).map((parts) => parts.join('.')),
      fc
        .tuple(fc.constantFrom('192.168', '169.254', '172.16', '172.31', '100.64', '198.18'), byte, byte)
        .map((parts) => parts.join('.')),
      fc
        .tuple(fc.constantFrom('fe80', 'fc00', 'fd12', 'ff02', '64:ff9b', '2002'), byte)
        .map(([head, n]) => `${head}::${n.toString(16)}`),
    )
    fc.assert(
      fc.property(special, (address) => {
        expect(publicAddress(address)).toBeNull()
        if (!address.includes(':')) expect(publicAddress(`::ffff:${address}`)).toBeNull()
      }),
    )
    for (const address of ['8.8.8.8', '2606:4700::1111', '::ffff:8.8.8.8']) expect(publicAddress(address)).not.toBeNull()
    for (const text of ['', 'example.com', '8.8.8', '::']) expect(publicAddress(text)).toBeNull()
  })
})
