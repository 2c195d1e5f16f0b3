import { createHook } from 'node:async_hooks'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { atEnd } from '@/lib/testing/cleanup'
import { dnsServer } from '@/lib/testing/dns'
import { publicAddress } from './address'
import { fetchPublic, PrivateAddressError } from './fetch'
import { addressesOf } from './resolve'

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

const LIMITS = { signal: new AbortController().signal, maxBytes: 1_000 }
const soon = () => ({ signal: AbortSignal.timeout(200), maxBytes: 10 })
const here = (path: string, host = '127.0.0.1') => new URL(`http://${host}:${port}${path}`)

describe('fetching what someone named', () => {
  it('gives the text, up to its limit', async () => {
    expect(await fetchPublic(here('/'), { ...LIMITS, allowPrivate: true })).toBe('hello')
    expect(await fetchPublic(here('/long'), { ...LIMITS, allowPrivate: true })).toHaveLength(1_000)
  })

  it('follows no redirect, and waits no longer than it may', async () => {
    await expect(fetchPublic(here('/away'), { ...LIMITS, allowPrivate: true })).rejects.toThrow('it answered 302')
    await expect(fetchPublic(here('/hang'), { ...soon(), allowPrivate: true })).rejects.toThrow()
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
    const [own, inner, good, linkLocal] = [
      [127, 0, 0, 1],
      [10, 0, 0, 1],
      [8, 8, 8, 8],
      [169, 254, 169, 254],
    ]
    const loopback = [...Array(15).fill(0), 1]
    const never: Record<string, { 4?: number[][]; 6?: number[][] }> = {
      'own.example': { 4: [own] },
      'own6.example': { 6: [loopback] },
      'mixed.example': { 4: [good, inner] },
      'mixed6.example': { 4: [good], 6: [loopback] },
      'cloud.example': { 4: [linkLocal] },
    }
    const { server } = await dnsServer((name, family) => never[name]?.[family] ?? [])
    for (const name of Object.keys(never)) {
      await expect(fetchPublic(here('/', name), { ...LIMITS, nameServers: [server] })).rejects.toThrow(PrivateAddressError)
    }
    // Asked once, and connected to what that answer said: the second answer, ours, is never used.
    let turn = 0
    const rebind = await dnsServer((_name, family) => (family === 6 ? [] : [turn++ === 0 ? [192, 0, 2, 1] : own]))
    const options = { ...soon(), nameServers: [rebind.server] }
    await expect(fetchPublic(here('/', 'rebind.example'), options)).rejects.toThrow()
    expect(asked).toBe(before)
  })

  it('looks names up without the threads by which this process finds its own servers, and no longer than it may', async () => {
    const kinds = new Set<string>()
    const hook = createHook({ init: (_id, kind) => void kinds.add(kind) }).enable()
    const { server, asked } = await dnsServer(() => null)
    const options = { ...soon(), nameServers: [server] }
    await expect(fetchPublic(here('/', 'silent.example'), options)).rejects.toThrow('aborted')
    hook.disable()
    expect(asked).toContain('silent.example')
    expect(kinds).not.toContain('GETADDRINFOREQWRAP')
  })

  it('says of a name that leads nowhere what the DNS says', async () => {
    const { server } = await dnsServer(() => [])
    await expect(fetchPublic(here('/', 'none.example'), { ...LIMITS, nameServers: [server] })).rejects.toThrow(/ENODATA/)
  })

  it('asks the hosts file what the DNS does not know, where it may, and takes private addresses from it no more', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'terse-hosts-'))
    atEnd(() => rm(folder, { recursive: true }))
    const hostsFile = join(folder, 'hosts')
    const lines = [
      '# 8.8.8.8 commented.example',
      '8.8.8.8\tgo.example Links.Example # ours',
      '2606:4700::1111 go.example',
      '127.0.0.1 own.example mixed.example',
      '8.8.4.4 mixed.example known.example',
      '10.0.0.1 inner.example',
      'nonsense odd.example',
    ]
    await writeFile(hostsFile, lines.join('\r\n'))
    const { server } = await dnsServer((name, family) => (name === 'known.example' && family === 4 ? [[1, 1, 1, 1]] : []))
    const sources = { nameServers: [server], hostsFile }
    const found = async (name: string) => (await addressesOf(name, LIMITS.signal, sources)).map(({ address }) => address)
    expect(await found('go.example')).toEqual(['8.8.8.8', '2606:4700::1111'])
    expect(await found('links.example')).toEqual(['8.8.8.8'])
    expect(await found('known.example')).toEqual(['1.1.1.1'])
    for (const name of ['commented.example', 'odd.example', 'none.example']) await expect(found(name)).rejects.toThrow(/ENODATA/)
    await expect(addressesOf('go.example', LIMITS.signal, { nameServers: [server] })).rejects.toThrow(/ENODATA/)
    const before = asked
    for (const name of ['own.example', 'mixed.example', 'inner.example']) {
      await expect(fetchPublic(here('/', name), { ...LIMITS, ...sources })).rejects.toThrow(PrivateAddressError)
    }
    const gone = { ...sources, hostsFile: join(folder, 'none') }
    await expect(addressesOf('go.example', LIMITS.signal, gone)).rejects.toThrow(/ENODATA/)
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
