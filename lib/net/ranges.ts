import { isIPv4, isIPv6 } from 'node:net'

/**
 * Ranges of addresses as strangers send them, by the thousand: in rules of links. All of it takes a few microseconds for each,
 * since it is done on the thread that answers redirects.
 */

/** An address, read once however many lists are asked for it. */
export interface Address {
  kind: 'ipv4' | 'ipv6'
  value: bigint
}

interface Range extends Address {
  /** How many of the first bits of an address count. */
  bits: number
}

const WIDTH = { ipv4: 32, ipv6: 128 } as const
/** In front of IPv4 that is written as IPv6: `::ffff:192.0.2.1`. */
const MAPPED = 0xffffn

/** @returns null for what is no address */
export function readAddress(text: string): Address | null {
  if (isIPv4(text)) return { kind: 'ipv4', value: BigInt(numberOf(text)) }
  if (!isIPv6(text)) return null
  const value = wholeOf(text)
  return value >> 32n === MAPPED ? { kind: 'ipv4', value: value & 0xffffffffn } : { kind: 'ipv6', value }
}

const numberOf = (ipv4: string) => ipv4.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)

function wholeOf(ipv6: string): bigint {
  const text = /[%.]/.test(ipv6) ? groupsAlone(ipv6) : ipv6
  const gap = text.indexOf('::')
  const [head, tail] = gap === -1 ? [text, ''] : [text.slice(0, gap), text.slice(gap + 2)]
  const [begin, end] = [digitsOf(head), digitsOf(tail)]
  return BigInt(`0x${begin}${'0'.repeat(32 - begin.length - end.length)}${end}`)
}

/** Without a zone, and with an IPv4 end as two groups. */
const groupsAlone = (ipv6: string) =>
  ipv6.replace(/%.*/, '').replace(/[\d.]+\.\d+$/, (end) => {
    const value = numberOf(end)
    return `${Math.floor(value / 65_536).toString(16)}:${(value % 65_536).toString(16)}`
  })

function digitsOf(groups: string): string {
  if (groups === '') return ''
  let digits = ''
  for (const group of groups.split(':')) digits += group.padStart(4, '0')
  return digits
}

function readRange(text: string): Range | null {
  const slash = text.indexOf('/')
  const address = readAddress(slash === -1 ? text : text.slice(0, slash))
  if (address === null) return null
  const { kind } = address
  const isMapped = kind === 'ipv4' && text.includes(':')
  if (slash === -1) return { ...address, bits: WIDTH[kind] }
  const written = text.slice(slash + 1)
  const bits = Number(written)
  if (!/^\d{1,3}$/.test(written) || bits > (isMapped ? 128 : WIDTH[kind])) return null
  if (!isMapped) return { ...address, bits }
  // Wider than what stands in front: a range of IPv6.
  return bits < 96 ? { kind: 'ipv6', value: (MAPPED << 32n) | address.value, bits } : { ...address, bits: bits - 96 }
}

/** Whether a text is an address or a CIDR range. */
export const isRange = (text: string): boolean => readRange(text) !== null

/** The first and the last address of a range. */
export interface Span {
  kind: Address['kind']
  first: bigint
  last: bigint
}

/** @returns null for what is neither an address nor a CIDR range */
export function spanOf(text: string): Span | null {
  const range = readRange(text)
  if (range === null) return null
  const free = BigInt(WIDTH[range.kind] - range.bits)
  const first = (range.value >> free) << free
  return { kind: range.kind, first, last: first | ((1n << free) - 1n) }
}

const prefixOf = ({ kind, value }: Address, bits: number) => value >> BigInt(WIDTH[kind] - bits)

/** Ranges made ready to be asked of many addresses: a look-up for each length of a prefix that there is. */
export class Ranges {
  private readonly known = { ipv4: new Map<number, Set<bigint>>(), ipv6: new Map<number, Set<bigint>>() }

  /** @throws Error for one that is none */
  constructor(texts: readonly string[]) {
    for (const text of texts) {
      const range = readRange(text)
      if (range === null) throw new Error(`“${text}” is no address or CIDR range`)
      const lengths = this.known[range.kind]
      const prefixes = lengths.get(range.bits)
      if (prefixes) prefixes.add(prefixOf(range, range.bits))
      else lengths.set(range.bits, new Set([prefixOf(range, range.bits)]))
    }
  }

  has(address: Address): boolean {
    for (const [bits, prefixes] of this.known[address.kind]) if (prefixes.has(prefixOf(address, bits))) return true
    return false
  }
}
