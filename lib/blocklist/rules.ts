import { domainToUnicode } from 'node:url'
import { inRanges, limitKey, parseRanges, unmapped } from '@/lib/net/address'
import { normaliseHost } from '@/lib/net/host'
import { customCard, type PreviewSetting } from '@/lib/previews/values'
import type { RoutingFields } from '@/lib/routing/routing'
import { routedUrls } from '@/lib/routing/urls'
import { normalised } from '@/lib/tools/normalised'
import { parseUrl } from '@/lib/tools/url'

/** Characters that a rule's value may have, as its column has it. */
const LONGEST = 253

/** The same as it is typed: a host may have letters that take two UTF-16 units, and characters that nobody sees. */
const LONGEST_TYPED = 1_000

/** Addresses of one mail that are looked at. */
const MOST_MAIL_HOSTS = 100

/** UTF-16 units of what words are looked for in. The longest is a destination with the name of its host before it. */
const MOST_TEXT = 20_000

export type BlockKind = 'host' | 'suffix' | 'word' | 'client'

export interface BlockRule {
  id: bigint
  kind: BlockKind
  value: string
  reason: string
}

/** What a link is, as far as rules look at it. */
export interface LinkFacts {
  url?: string | undefined
  expiredUrl?: string | null | undefined
  code?: string | undefined
  title?: string | undefined
  /** As it is stored, or read. */
  routing?: string | RoutingFields | null | undefined
  /** As it is stored, or read. */
  preview?: string | PreviewSetting | null | undefined
}

/** A rule that was broken, and by what. */
export interface Broken {
  rule: BlockRule
  field: 'url' | 'expiredUrl' | 'code' | 'title'
  /** How the API calls the field. */
  path: string
}

/** Every place that a link may lead to, or have a picture from, and how the API calls it. */
export function destinationsOf({ url, expiredUrl, routing, preview }: LinkFacts): { path: string; url: string }[] {
  const own = [
    { path: 'url', url },
    { path: 'expiredUrl', url: expiredUrl },
    { path: 'preview.image', url: customCard(preview)?.image },
  ]
  return [...own.flatMap(({ path, url }) => (url ? [{ path, url }] : [])), ...routedUrls(routing)]
}

/**
 * A value as it is kept and compared: hosts as WHATWG URL parsing writes them, words without regard to case, addresses as CIDR
 * ranges. null for what is none of its kind.
 */
export function normaliseRule(kind: BlockKind, typed: string): string | null {
  if (typed.length > LONGEST_TYPED) return null
  const text = typed.trim()
  if (kind === 'word') return normaliseWord(text)
  if (kind === 'client') return readRange(text)
  const bare = kind === 'suffix' ? text.replace(/^\*?\./, '') : text
  if (/[\s/@?#\\%*]/.test(bare)) return null
  // What is not written in brackets and has two colons is an address all the same.
  const host = /^[\da-f:.]+$/i.test(bare) && bare.split(':').length > 2 ? `[${bare}]` : bare
  const hasPort = host === bare && bare.replace(/^\[.*\]/, '').includes(':')
  if (hasPort || !parseUrl(`http://${host}/`)) return null
  const name = hostOf(`http://${host}/`)
  return name !== '' && name.length <= LONGEST ? name : null
}

/** Some characters stand for many, so that a word may grow. */
function normaliseWord(text: string): string | null {
  const word = foldText(text).trim()
  return word !== '' && word.length <= LONGEST ? word : null
}

/**
 * Of an IPv6 address, and of a range within one, its /64, which one client has to itself: limits count it as one, too. IPv4 that
 * is written as IPv6 as IPv4.
 */
function readRange(text: string): string | null {
  try {
    const [[address, bits] = []] = parseRanges([text])
    if (!address || bits === undefined) return null
    if (address.kind() === 'ipv6') return bits > 64 ? `${limitKey(address.toString())}/64` : text.toLowerCase()
    if (!text.includes(':')) return text
    return bits === 32 ? address.toString() : `${address}/${bits}`
  } catch {
    return null
  }
}

/** Rules, made ready for being asked many times. */
export class BlockRules {
  private readonly hosts = new Map<string, BlockRule>()
  private readonly suffixes = new Map<string, BlockRule>()
  private readonly words: BlockRule[] = []
  private readonly clients: { rule: BlockRule; range: ReturnType<typeof parseRanges> }[] = []

  constructor(rules: Iterable<BlockRule>) {
    this.add(rules)
  }

  /** Takes more rules in; those that are there already stay. */
  add(rules: Iterable<BlockRule>): void {
    for (const rule of rules) {
      if (rule.kind === 'host') this.hosts.set(rule.value, rule)
      else if (rule.kind === 'suffix') this.suffixes.set(rule.value, rule)
      else if (rule.kind === 'word') this.words.push(rule)
      else this.addClient(rule)
    }
  }

  private addClient(rule: BlockRule): void {
    const range = readRange(rule.value)
    if (range !== null) this.clients.push({ rule, range: parseRanges([range]) })
  }

  /** The rule that a link breaks, or null. */
  broken(link: LinkFacts): Broken | null {
    for (const { path, url } of destinationsOf(link)) {
      const rule = this.ofDestination(url)
      if (rule) return { rule, field: path === 'expiredUrl' ? path : 'url', path }
    }
    const card = customCard(link.preview)
    const texts = [
      { field: 'code', path: 'code', text: link.code },
      { field: 'title', path: 'title', text: link.title },
      { field: 'title', path: 'preview.title', text: card?.title },
      { field: 'title', path: 'preview.description', text: card?.description },
    ] as const
    for (const { field, path, text } of texts) {
      const rule = text ? this.ofText(text) : null
      if (rule) return { rule, field, path }
    }
    return null
  }

  /** The rule that keeps this client from making links, or null. */
  ofClient(address: string): BlockRule | null {
    return this.clients.find(({ range }) => inRanges(address, range))?.rule ?? null
  }

  private ofDestination(href: string): BlockRule | null {
    const [host = '', ...others] = hostsOf(href)
    for (const other of others) {
      const rule = this.hosts.get(other) ?? this.ofSuffix(other)
      if (rule) return rule
    }
    // `xn--…` says nothing to a reader, and hides what the name says.
    return this.hosts.get(host) ?? this.ofSuffix(host) ?? this.ofText(`${domainToUnicode(host)} ${href}`)
  }

  /** A host and all that it is below. */
  private ofSuffix(host: string): BlockRule | null {
    if (this.suffixes.size === 0) return null
    for (let rest = host; ; rest = rest.slice(rest.indexOf('.') + 1)) {
      const rule = this.suffixes.get(rest)
      if (rule) return rule
      if (!rest.includes('.')) return null
    }
  }

  private ofText(text: string): BlockRule | null {
    if (this.words.length === 0) return null
    const folded = foldText(decoded(text))
    return this.words.find(({ value }) => folded.includes(value)) ?? null
  }
}

/** The hosts that a destination names: of a mail, those of the addresses that it goes to. */
function hostsOf(href: string): string[] {
  if (!href.startsWith('mailto:')) return [hostOf(href)]
  const hosts = decoded(href)
    .split(/[,;?&\s]/)
    .flatMap((part) => {
      const host = part.includes('@') ? part.slice(part.lastIndexOf('@') + 1) : ''
      return parseUrl(`http://${host}/`) ? [hostOf(`http://${host}/`)] : []
    })
  return hosts.slice(0, MOST_MAIL_HOSTS)
}

const hostOf = (href: string) => unmapped(normaliseHost(new URL(href).hostname))

/** Percent-encoding could hide a word. What is no UTF-8 is decoded to nothing readable, and hides nothing beside it. */
function decoded(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString())
}

/** Without regard to case, to other forms of the same letters, and to characters that nobody sees. */
function foldText(text: string): string {
  const seen = normalised('NFKC', text, MOST_TEXT).replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  // Composed again: some letters have a form in one with their accent in lower case only.
  return normalised('NFKC', seen.toLowerCase(), MOST_TEXT)
}

const LOOPBACK = /^(0\.0\.0\.0|127\.\d+\.\d+\.\d+|::1?)$/

/**
 * The host that a line of a host file names (`0.0.0.0 bad.example # comment`), or of a list with one host a line.
 * @returns null for a line that names none, such as a comment or `127.0.0.1 localhost`; 'bad' for one that cannot be read
 */
export function hostOfLine(line: string): string | null | 'bad' {
  const [first = '', second, ...rest] = (line.split('#', 1)[0] ?? '').trim().split(/\s+/)
  if (first === '') return null
  const name = LOOPBACK.test(first) && second !== undefined ? second : first
  if (name === first && second !== undefined) return 'bad'
  if (rest.length > 0) return 'bad'
  const host = normaliseRule('host', name)
  if (host === null) return 'bad'
  return host.includes('.') && !LOOPBACK.test(host) ? host : null
}
