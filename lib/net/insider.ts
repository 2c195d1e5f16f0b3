import { createHash, timingSafeEqual } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import { clientAddress, inRanges, type parseRanges } from './address'
import type { Client } from './clients'

/** A request, as far as it tells where it comes from. */
export interface Asking {
  /** The address at the other end of the connection. */
  socket: string | undefined
  client: Client
  headers: Pick<Headers, 'get' | 'has'>
  httpVersion: string
}

/** Headers by which a proxy says that it asks for someone else. */
const FORWARDED = [
  'x-forwarded-for',
  'forwarded',
  'via',
  'x-real-ip',
  'x-forwarded-host',
  'x-forwarded-proto',
  'cf-connecting-ip',
  'true-client-ip',
  'x-client-ip',
]

/**
 * Whether this request may see how the deployment does: it has the token, is this machine, or is one of TRUSTED_PROXIES. What
 * came through a proxy is judged by who asked the proxy.
 * @param token METRICS_TOKEN
 */
export function isInsider(asking: Asking, trusted: ReturnType<typeof parseRanges>, token: string | undefined): boolean {
  const { socket, client, headers } = asking
  if (token !== undefined && hasToken(headers, token)) return true
  if (!FORWARDED.some((name) => headers.has(name))) {
    return isLoopback(client.address) ? isThisMachine(asking) : inRanges(client.address, trusted)
  }
  // A proxy that is not believed, or says nothing that can be read, may speak for anyone.
  const isTold = client.viaProxy && headers.has('x-forwarded-for') && client.address !== clientAddress(socket, undefined, [])
  return isTold && inRanges(client.address, trusted)
}

function hasToken(headers: Asking['headers'], token: string): boolean {
  const given = /^Bearer (.+)$/i.exec(headers.get('authorization') ?? '')?.[1]
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return given !== undefined && timingSafeEqual(hash(given), hash(token))
}

const isLoopback = (address: string) => ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'

/**
 * Whether a request over loopback comes from this machine itself. A proxy on it that adds no header of its own cannot be told
 * from it for sure; what gives many away is the name of the site, and HTTP/1.0, which nginx speaks unless told otherwise.
 */
function isThisMachine({ headers, httpVersion }: Asking): boolean {
  return httpVersion !== '1.0' && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i.test(headers.get('host') ?? '')
}
