import ipaddr from 'ipaddr.js'

type Cidr = [ipaddr.IPv4 | ipaddr.IPv6, number]
export type Ranges = readonly Cidr[]

/** What of IPv6 is given out for the public internet (RFC 4291, 2.4); all else is special, or nobody's yet. */
const PUBLIC_IPV6 = ipaddr.IPv6.parse('2000::')

/** Without the old forms, by which `10.1` is 10.0.0.1 and `010.0.0.1` is 8.0.0.1. */
const isAddress = (text: string) => ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)

/** Parses addresses and CIDR ranges. @throws Error naming the first that is neither, and where it stood */
export function parseRanges(texts: readonly string[], where = ''): Cidr[] {
  return texts.map((text) => {
    try {
      if (!isAddress(text.replace(/\/\d+$/, ''))) throw new Error('not an address')
      if (text.includes('/')) return unmappedRange(ipaddr.parseCIDR(text))
      const address = ipaddr.process(text)
      return [address, address.kind() === 'ipv4' ? 32 : 128]
    } catch {
      throw new Error(`${where}“${text}” is no address or CIDR range`)
    }
  })
}

/** IPv4 that is written as IPv6, `::ffff:192.0.2.0/120`, as IPv4: so are the addresses that it is compared with. */
function unmappedRange([address, bits]: Cidr): Cidr {
  if (!(address instanceof ipaddr.IPv6) || !address.isIPv4MappedAddress() || bits < 96) return [address, bits]
  return [address.toIPv4Address(), bits - 96]
}

function parse(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const bare = text.trim().replace(/^\[(.*)\](:\d+)?$/, '$1')
  // 203.0.113.7:4711, as some proxies write it
  const address = /^\d+(\.\d+){3}:\d+$/.test(bare) ? bare.slice(0, bare.indexOf(':')) : bare
  return isAddress(address) ? ipaddr.process(address) : null
}

function isTrusted(address: ipaddr.IPv4 | ipaddr.IPv6, trusted: readonly Cidr[]): boolean {
  return trusted.some(([range, bits]) => range.kind() === address.kind() && address.match(range, bits))
}

/**
 * The client's address: the socket's, or, as long as that and each further hop is a trusted proxy, the
 * next value of X-Forwarded-For read from the right. What a client writes there itself is never believed.
 */
export function clientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trusted: readonly Cidr[],
): string {
  let current = parse(socketAddress ?? '')
  if (!current) return 'unknown'
  const hops = (forwardedFor ?? '').split(',')
  while (isTrusted(current, trusted)) {
    const next = parse(hops.pop() ?? '')
    if (!next) break
    current = next
  }
  return current.toString()
}

/** Whether an address lies in one of the ranges. */
export function inRanges(text: string, ranges: readonly Cidr[]): boolean {
  const address = parse(text)
  return address !== null && isTrusted(address, ranges)
}

/** Whether the other end of the connection is a trusted proxy. */
export function isTrustedProxy(socketAddress: string | undefined, trusted: readonly Cidr[]): boolean {
  const address = parse(socketAddress ?? '')
  return address !== null && isTrusted(address, trusted)
}

/** A URL's host as it is, but an IPv4 address that is written as an IPv6 one, `[::ffff:cb00:7107]`, as IPv4. */
export function unmapped(hostname: string): string {
  if (!hostname.startsWith('[::ffff:')) return hostname
  const address = ipaddr.process(hostname.slice(1, -1))
  return address.kind() === 'ipv4' ? address.toString() : hostname
}

/** The address by which a client is rate-limited: IPv6 clients have a whole /64 to themselves. */
export function limitKey(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed}/64`).toString()
}

/** The address in `text` in its usual notation, where it is one of the public Internet; else null. */
export function publicAddress(text: string): { family: 4 | 6; text: string } | null {
  if (!isAddress(text)) return null
  const address = ipaddr.process(text)
  if (address.range() !== 'unicast') return null
  if (address.kind() === 'ipv6' && !address.match(PUBLIC_IPV6, 3)) return null
  return { family: address.kind() === 'ipv4' ? 4 : 6, text: address.toString() }
}
