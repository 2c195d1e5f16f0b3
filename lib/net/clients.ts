import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import { clientAddress, isTrustedProxy, type parseRanges } from './address'

/** Who asks, as far as the connection tells. */
export interface Client {
  address: string
  /** Its network: the first three bytes of an IPv4 address, the first six of an IPv6 one, the rest zero; '' when not known. */
  network: string
  /** The connection comes from a trusted proxy, whose headers are believed. */
  viaProxy: boolean
}

/** Where nothing is known of the connection. */
export const UNKNOWN_CLIENT: Client = { address: 'unknown', network: '', viaProxy: false }

/** Clients by what their requests say. Parsing addresses costs as much as the rest of a redirect, so it is remembered. */
export class Clients {
  private readonly known = new LRUCache<string, Client>({ max: 20_000 })

  constructor(private readonly trusted: ReturnType<typeof parseRanges>) {}

  /** @param forwardedFor gives X-Forwarded-For; asked only where a proxy is trusted */
  of(socketAddress: string | undefined, forwardedFor: () => string | undefined): Client {
    const forwarded = this.trusted.length === 0 ? undefined : forwardedFor()
    const key = forwarded === undefined ? (socketAddress ?? '') : `${socketAddress}|${forwarded}`
    const known = this.known.get(key)
    if (known) return known
    const address = clientAddress(socketAddress, forwarded, this.trusted)
    const client = { address, network: networkOf(address), viaProxy: isTrustedProxy(socketAddress, this.trusted) }
    // What a client may write there itself has no end.
    if (key.length <= 256) this.known.set(key, client)
    return client
  }
}

export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return ''
  const parsed = ipaddr.process(address)
  const family = parsed.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6
  return family.networkAddressFromCIDR(`${parsed}/${parsed.kind() === 'ipv4' ? 24 : 48}`).toString()
}
