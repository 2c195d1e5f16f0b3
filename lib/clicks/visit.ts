import { createHmac } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Client } from '@/lib/net/clients'
import { DAY } from '@/lib/tools/time'
import type { CapturedClick } from './click'

/** What the headers of a request tell of a click, at most as much of each as is kept; undefined where one was not sent. */
export interface VisitHeaders {
  referrer: string | undefined
  userAgent: string | undefined
  language: string | undefined
  /** A browser fetches ahead of a click that may never come (Sec-Purpose, Purpose, X-Moz). */
  prefetch: boolean
  /** The visitor asked not to be tracked (DNT, Sec-GPC). */
  optOut: boolean
  /** Country, as a proxy says. */
  country: string | undefined
}

/** Longest texts kept, in characters; a browser's are far shorter. */
const MAX_REFERRER = 2_048
const MAX_USER_AGENT = 512
const MAX_LANGUAGE = 128
const MAX_QUERY = 1_024

interface Options {
  secret: string
  /** Whether visitors who opt out are left uncounted. */
  honourOptOut: boolean
}

/** Turns requests into clicks. Keeps no address: a visitor is a hash that means nothing on another day. */
export class Visits {
  /** Which hash a client has today. Computing one costs as much as half a redirect. */
  private readonly hashes = new LRUCache<string, string>({ max: 20_000 })
  private day = -1
  private salt = Buffer.alloc(0)

  constructor(private readonly options: Options) {}

  /** The click that a GET with these headers is, or null when it is none. @param now ms since 1970 */
  click(linkId: string, headers: VisitHeaders, client: Client, query: string, now: number): CapturedClick | null {
    return this.isCounted(headers) ? this.seen(linkId, headers, client, query, now) : null
  }

  isCounted({ prefetch, optOut }: VisitHeaders): boolean {
    return !prefetch && !(optOut && this.options.honourOptOut)
  }

  /** What is seen of any request, as a click would have it, but for where it leads. */
  seen(linkId: string, headers: VisitHeaders, client: Client, query: string, now: number): CapturedClick {
    const { userAgent = '', referrer = '', language = '' } = headers
    return {
      linkId,
      at: now,
      visitor: this.visitor(client.address, userAgent, now),
      network: client.network,
      country: client.viaProxy ? countryOf(headers.country) : '',
      referrer,
      userAgent,
      language,
      query: query.includes('utm_') ? cut(query, MAX_QUERY) : '',
      destination: '',
    }
  }

  private visitor(address: string, userAgent: string, now: number): string {
    const day = Math.floor(now / DAY)
    if (day !== this.day) {
      this.day = day
      this.salt = createHmac('sha256', this.options.secret).update(`visitors of day ${day}`).digest()
      this.hashes.clear()
    }
    const key = `${address}\n${userAgent}`
    const known = this.hashes.get(key)
    if (known !== undefined) return known
    const hash = createHmac('sha256', this.salt).update(key).digest('hex').slice(0, 16)
    this.hashes.set(key, hash)
    return hash
  }
}

const cut = (text: string, length: number) => (text.length > length ? text.slice(0, length) : text)

/** Two letters, except for what proxies say when they do not know (XX) or see Tor (T1). */
function countryOf(text: string | undefined): string {
  return text !== undefined && /^[A-Za-z]{2}$/.test(text) && !/^xx$/i.test(text) ? text.toUpperCase() : ''
}

const isPrefetch = (purpose: string) => /prefetch|prerender|preview/i.test(purpose)

/**
 * Reads the headers of a visit in one pass, since looking each up by name, or having node sort them all, costs a
 * tenth of a redirect.
 * @param raw names and values in turn, as they came
 * @param countryHeader the name in lower case of a proxy's header that holds the country
 */
export function readVisit(raw: readonly string[], countryHeader: string | undefined): VisitHeaders {
  const visit: VisitHeaders = {
    referrer: undefined,
    userAgent: undefined,
    language: undefined,
    prefetch: false,
    optOut: false,
    country: undefined,
  }
  for (let i = 0; i + 1 < raw.length; i += 2)
    readHeader(visit, (raw[i] as string).toLowerCase(), raw[i + 1] as string, countryHeader)
  return visit
}

function readHeader(visit: VisitHeaders, name: string, value: string, countryHeader: string | undefined): void {
  switch (name) {
    case 'referer':
      visit.referrer = cut(value, MAX_REFERRER)
      break
    case 'user-agent':
      visit.userAgent = cut(value, MAX_USER_AGENT)
      break
    case 'accept-language':
      visit.language = cut(value, MAX_LANGUAGE)
      break
    case 'sec-purpose':
    case 'purpose':
    case 'x-moz':
      visit.prefetch ||= isPrefetch(value)
      break
    case 'dnt':
    case 'sec-gpc':
      visit.optOut ||= value === '1'
      break
    default:
      if (name === countryHeader) visit.country = value
  }
}
