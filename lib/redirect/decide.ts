import type { TerseError } from '@/lib/errors'
import type { Message } from '@/lib/i18n/message'
import type { CodePath } from './path'
import type { CachedRecord, LinkRecord } from './record'

/** Header names and values in turn, as node:http reads and writes them. */
export type RawHeaders = string[]

export type PageName =
  | ('password' | 'preview' | 'not-found' | 'gone' | 'inactive' | 'expired' | 'disabled' | 'banned')
  | ('malformed' | 'unavailable' | 'too-many')

/** A page, and what it shows besides its own text. */
export interface Page {
  name: PageName
  record: LinkRecord | null
  wrongPassword?: boolean
  /** What there were too many of, and when to try again. */
  refusal?: Message
  /** When the link was deleted, expired, or starts: ms since 1970. */
  at?: number
  /** It expired by its clicks, not by its time. */
  usedUp?: boolean
}

/** How a request is answered. */
export interface Decision {
  status: number
  headers: RawHeaders
  /** Null for an answer without a page. */
  page: Page | null
  /** The body of an answer without a page. */
  text: string
  /** For metrics. */
  outcome: 'redirect' | 'method' | PageName
  /** Id of the link whose destination it leads to, so that a GET is a click; null where it leads elsewhere. */
  clicked: string | null
}

/** What must be found out before a request can be decided. */
export interface OpenQuestion {
  unknown: 'password' | 'limit'
  record: LinkRecord
}

export interface RequestFacts {
  method: string
  path: CodePath
  /** Where the domain sends visitors whose code is unknown. */
  notFoundUrl: string | null
  /** Whether the password that was sent is right. */
  password?: 'right' | 'wrong'
  /** Whether the click limit leaves a click for this request. */
  limit?: 'left' | 'reached'
}

export interface RedirectPolicy {
  referrerPolicy: string
  /** `CDN-Cache-Control` lifetime for plain redirects in seconds; 0 leaves it out. */
  cdnSeconds: number
  /** How long a deleted code answers 410, in ms. */
  quarantine: number
}

const NO_STORE = ['Cache-Control', 'no-store']
const PAGE_HEADERS = [...NO_STORE, 'X-Robots-Tag', 'noindex']

/** Whether a request with this method can be for a link. */
export const isLinkMethod = (method: string) => method === 'GET' || method === 'HEAD' || method === 'POST'

/** A redirect that depends on nothing but the link itself, and so is the same for every request. */
export function isUnconditional(record: LinkRecord): boolean {
  return (
    record.state === 'active' &&
    record.startsAt === null &&
    record.expiresAt === null &&
    record.maxClicks === null &&
    record.passwordHash === null
  )
}

/** The redirect that is the same for every request, or undefined where there is none. */
export function constantRedirect(record: CachedRecord | null, policy: RedirectPolicy): Decision | undefined {
  if (record?.kind !== 'link' || !isUnconditional(record)) return undefined
  return redirect(record, record.url, record.status, policy)
}

/**
 * How a request for a code is answered, or what must be found out before: the caller finds out and asks again. Pure. It has
 * the last word: callers send what it says.
 * @param record the link that the path names; null where there is none
 * @param now ms since 1970
 */
export function decide(
  record: CachedRecord | null,
  facts: RequestFacts,
  now: number,
  policy: RedirectPolicy,
): Decision | OpenQuestion {
  if (!isLinkMethod(facts.method)) return notAllowed()
  if (facts.path.kind === 'malformed') return page(400, { name: 'malformed', record: null }, NO_STORE)
  const decision = decideLink(record, facts, now, policy)
  // A form is sent only where a password is asked for.
  const isUnasked = facts.method === 'POST' && facts.password === undefined && isDecided(decision)
  return isUnasked ? notAllowed() : decision
}

export function isDecided(decision: Decision | OpenQuestion): decision is Decision {
  return !('unknown' in decision)
}

/** How a request is answered that was refused, or that an outage kept from an answer. */
export function decideRefusal(error: TerseError): Decision {
  const limited = error.code === 'rate_limited'
  const retry = error.retryAfter === undefined ? [] : ['Retry-After', String(error.retryAfter)]
  const shown: Page = limited ? { name: 'too-many', record: null, refusal: error.said } : { name: 'unavailable', record: null }
  return page(error.status, shown, [...NO_STORE, ...retry])
}

function decideLink(
  record: CachedRecord | null,
  { method, path, password, limit, notFoundUrl }: RequestFacts,
  now: number,
  policy: RedirectPolicy,
): Decision | OpenQuestion {
  if (record === null) return notFound(notFoundUrl)
  if (record.kind === 'tombstone') {
    return now < record.deletedAt + policy.quarantine
      ? page(410, { name: 'gone', record: null, at: record.deletedAt })
      : notFound(notFoundUrl)
  }
  if (record.state === 'banned') return page(410, { name: 'banned', record })
  if (record.state !== 'active') return page(410, { name: 'disabled', record })
  if (record.startsAt !== null && now < record.startsAt) return page(404, { name: 'inactive', record, at: record.startsAt })
  if (record.expiresAt !== null && now >= record.expiresAt) return expired(record, { at: record.expiresAt }, policy)
  if (record.passwordHash !== null && password !== 'right') {
    if (password === 'wrong') return page(403, { name: 'password', record, wrongPassword: true })
    return method === 'POST' ? { unknown: 'password', record } : page(200, { name: 'password', record })
  }
  if (path.kind === 'code' && path.preview) return page(200, { name: 'preview', record })
  if (record.maxClicks !== null && limit === undefined) return { unknown: 'limit', record }
  if (limit === 'reached') return expired(record, { usedUp: true }, policy)
  return redirect(record, record.url, password === 'right' ? 303 : record.status, policy)
}

/** The answer of a link whose time is over or whose clicks are used up. */
function expired(record: LinkRecord, why: Pick<Page, 'at' | 'usedUp'>, policy: RedirectPolicy): Decision {
  if (record.expiredUrl === null) return page(410, { name: 'expired', record, ...why })
  return { ...redirect(record, record.expiredUrl, 302, policy), clicked: null }
}

function redirect(record: LinkRecord, location: string, status: number, policy: RedirectPolicy): Decision {
  const permanent = status === 301 || status === 308
  const headers = [
    'Location',
    location,
    'Cache-Control',
    permanent && record.expiresAt === null && record.maxClicks === null ? 'private, max-age=90' : 'private, no-store',
    'Referrer-Policy',
    policy.referrerPolicy,
    'X-Robots-Tag',
    'noindex',
    'Content-Length',
    '0',
  ]
  if (policy.cdnSeconds > 0 && isUnconditional(record)) headers.push('CDN-Cache-Control', `max-age=${policy.cdnSeconds}`)
  return { status, headers, page: null, text: '', outcome: 'redirect', clicked: record.id }
}

function notFound(elsewhere: string | null): Decision {
  const shown = page(404, { name: 'not-found', record: null })
  return elsewhere === null ? shown : { ...shown, status: 302, headers: ['Location', elsewhere, ...shown.headers], page: null }
}

function page(status: number, shown: Page, headers: RawHeaders = PAGE_HEADERS): Decision {
  return { status, headers, page: shown, text: '', outcome: shown.name, clicked: null }
}

function notAllowed(): Decision {
  const headers = ['Allow', 'GET, HEAD', ...NO_STORE, 'Content-Type', 'text/plain; charset=utf-8']
  return { status: 405, headers, page: null, text: 'Use GET, HEAD.\n', outcome: 'method', clicked: null }
}
