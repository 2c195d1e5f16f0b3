import { describe, expect, it } from 'vitest'
import { parseRanges } from './address'
import { Clients } from './clients'
import { type Asking, isInsider } from './insider'

const NONE: string[] = []
const PROXIES = ['10.0.0.0/8', '127.0.0.1']

/** Who asks, as server.ts sees it. */
function asking(socket: string, headers: Record<string, string>, trusted: string[], httpVersion = '1.1'): Asking {
  const clients = new Clients(parseRanges(trusted))
  const all = { host: 'localhost:3000', ...headers }
  return { socket, client: clients.of(socket, () => headers['x-forwarded-for']), headers: new Headers(all), httpVersion }
}

describe('an insider', () => {
  it.each([
    ['this machine', '127.0.0.1', {}, NONE, true],
    ['this machine, by IPv6', '::1', { host: '[::1]:3000' }, NONE, true],
    ['this machine on a dual-stack socket', '::ffff:127.0.0.1', { host: '127.0.0.1' }, NONE, true],
    ['anyone else', '203.0.113.9', {}, NONE, false],
    ['a private address that is not trusted', '10.1.2.3', {}, NONE, false],
    ['a machine of TRUSTED_PROXIES by itself', '10.1.2.3', { host: 'terse.internal' }, PROXIES, true],
    ['a client of a trusted proxy', '10.1.2.3', { 'x-forwarded-for': '203.0.113.9' }, PROXIES, false],
    ['a machine of TRUSTED_PROXIES behind another', '10.1.2.3', { 'x-forwarded-for': '10.9.9.9' }, PROXIES, true],
    ['a client that writes an inside address', '10.1.2.3', { 'x-forwarded-for': '10.9.9.9, 203.0.113.9' }, PROXIES, false],
    ['a client that claims this machine', '203.0.113.9', { 'x-forwarded-for': '127.0.0.1' }, PROXIES, false],
    ['a client that a proxy says nonsense of', '10.1.2.3', { 'x-forwarded-for': 'unknown' }, PROXIES, false],
    ['a client of a local proxy that is not trusted', '127.0.0.1', { 'x-forwarded-for': '203.0.113.9' }, NONE, false],
    ['a client of a proxy with another header', '127.0.0.1', { 'x-real-ip': '203.0.113.9' }, NONE, false],
    ['a client of a proxy with the standard header', '10.1.2.3', { forwarded: 'for=203.0.113.9' }, PROXIES, false],
    ['a client of a proxy that passes on only the host', '127.0.0.1', { host: 'short.example' }, NONE, false],
    ['a page of a browser here whose name leads here', '127.0.0.1', { host: 'evil.example:3000' }, NONE, false],
    ['nobody known', '', {}, NONE, false],
  ])('%s', (_, socket, headers, trusted, inside) => {
    expect(isInsider(asking(socket, headers as Record<string, string>, trusted), parseRanges(trusted), undefined)).toBe(inside)
  })

  it('is not a local proxy that speaks HTTP/1.0, as nginx does unless told otherwise', () => {
    expect(isInsider(asking('127.0.0.1', {}, NONE, '1.0'), [], undefined)).toBe(false)
  })

  it('is who has the token, from wherever', () => {
    const outside = (authorization: string) => asking('203.0.113.9', { authorization }, NONE)
    expect(isInsider(outside('Bearer the right token'), [], 'the right token')).toBe(true)
    for (const wrong of ['Bearer the wrong token', 'the right token', 'Bearer ', 'Bearer undefined', '']) {
      expect(isInsider(outside(wrong), [], 'the right token'), wrong).toBe(false)
      expect(isInsider(outside(wrong), [], undefined), wrong).toBe(false)
    }
  })
})
