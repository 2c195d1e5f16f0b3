import type { CapturedClick } from '@/lib/clicks/click'
import { isPreviewFetcher } from '@/lib/clicks/enrich/previews'
import type { TerseError } from '@/lib/errors'
import type { Past } from '@/lib/history/past'
import type { Message } from '@/lib/i18n/message'
import type { ShownCard } from '@/lib/previews/cards'
import type { Choice, Visitor } from '@/lib/routing/routing'
import { isOpened } from '@/lib/tools/schemes'
import type { UpstreamAnswer } from '@/lib/upstream/upstream'
import type { CodePath, PictureFormat } from './path'
import type { CachedRecord, LinkRecord } from './record'

/** Header names and values in turn, as node:http reads and writes them. */
export type RawHeaders = string[]

export type PageName =
  | ('password' | 'preview' | 'not-found' | 'gone' | 'inactive' | 'expired' | 'disabled' | 'banned' | 'paused')
  | ('malformed' | 'unavailable' | 'too-many' | 'card' | 'unopened' | 'upstream')

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
  /** A preview of a link that has ended and leads elsewhere now. */
  ended?: true
  /** Where the link led before; null: that cannot be read now. */
  past?: Past | null
  /** What apps show of it; null: nothing of it is told, or there is nothing. */
  card?: ShownCard | null
  /** The destination that was found on the list of threats; null: none is known to be. */
  threat?: string | null
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
  outcome: 'redirect' | 'method' | 'picture' | PageName
  /** What a GET is a click of; null where it leads to no destination of a link. */
  clicked: Clicked | null
  /** The body is the QR code of the link, still to be drawn. */
  drawn?: true
}

/** A QR code that is asked for. */
export interface PictureFacts {
  format: PictureFormat
  /** Its ETag. */
  tag: string
  /** Whether the client has it already. */
  isHeld: boolean
}

/** A link, and which of its destinations a request leads to: '' where it has one alone (lib/routing/destination-name.ts). */
export type Clicked = Pick<CapturedClick, 'linkId' | 'destination'>

/** What must be found out before a request can be decided. */
export interface OpenQuestion {
  /** `limit` takes a click; `left`: whether there is one, of which none is taken. */
  unknown: 'password' | 'limit' | 'left' | 'visitor' | 'card'
  record: LinkRecord
}

export interface RequestFacts {
  method: string
  path: CodePath
  /** What stands behind the code, with its slash; '' for nothing. */
  extra: string
  /** Where the domain sends visitors whose code is unknown. */
  notFoundUrl: string | null
  /** The page that an unknown code of this domain is at the host of BASE_URL. */
  pageUrl?: string
  /** What the client calls itself. */
  userAgent: string
  /** What apps show of the link, where one of them asks; null: there is nothing. */
  card?: ShownCard | null
  /** Whether the password that was sent is right. */
  password?: 'right' | 'wrong'
  /** Whether the click limit leaves a click for this request. */
  limit?: 'left' | 'reached'
  /** Who asks, where the link leads elsewhere for some. */
  visitor?: Visitor
  /** Asks for the QR code, and not for the link. */
  picture?: PictureFacts
  /** What the old shortener of the domain says of a code that is not here; left out where it was not asked. */
  upstream?: UpstreamAnswer | null
}

export interface RedirectPolicy {
  referrerPolicy: string
  /** `CDN-Cache-Control` lifetime for plain redirects in seconds; 0 leaves it out. */
  cdnSeconds: number
  /** How long a deleted code answers 410, in ms. */
  quarantine: number
  /** Schemes beside http and https that links can lead to. */
  schemes: readonly string[]
}

const NO_STORE = ['Cache-Control', 'no-store']
const PAGE_HEADERS = [...NO_STORE, 'X-Robots-Tag', 'noindex']
/** For apps alone: no cache may give it to a person. */
const CARD_HEADERS = [...PAGE_HEADERS, 'Vary', 'User-Agent']

/** Whether a request with this method can be for a link. */
export const isLinkMethod = (method: string) => method === 'GET' || method === 'HEAD' || method === 'POST'

/** A redirect that depends on nothing but the link itself, and so is the same for every request. */
export const isUnconditional = (record: LinkRecord): boolean =>
  isOpen(record) && record.routing === null && record.preview === null

/** A link that leads somewhere at any time, and asks for nothing. */
export function isOpen(record: LinkRecord): boolean {
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
  if (record?.kind !== 'link' || !isUnconditional(record) || !isOpened(record.url, policy.schemes)) return undefined
  return redirect(record, plainChoice(record), record.status, policy)
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
  const { pageUrl, upstream = null } = facts
  if (record === null && upstream?.kind !== 'redirect' && pageUrl !== undefined) return pageAt(pageUrl, facts.method)
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
  facts: RequestFacts,
  now: number,
  policy: RedirectPolicy,
): Decision | OpenQuestion {
  const { method, path, extra, password, limit, visitor, notFoundUrl, picture } = facts
  if (record === null) return fromUpstream(facts.upstream ?? null, policy) ?? notFound(notFoundUrl)
  if (record.kind === 'tombstone') {
    const came = record.isUndone ? fromUpstream(facts.upstream ?? null, policy) : null
    if (came) return came
    return now < record.deletedAt + policy.quarantine
      ? page(410, { name: 'gone', record: null, at: record.deletedAt })
      : notFound(notFoundUrl)
  }
  if (record.state === 'banned') return page(410, { name: 'banned', record })
  if (record.state === 'paused') return page(410, { name: 'paused', record })
  if (record.state !== 'active') return page(410, { name: 'disabled', record })
  // Whoever has the short link can draw it themselves: it tells nothing of when the link works, or for whom.
  if (picture) return pictureOf(picture)
  if (record.startsAt !== null && now < record.startsAt) return page(404, { name: 'inactive', record, at: record.startsAt })
  const preview = path.kind === 'code' && path.preview
  if (record.expiresAt !== null && now >= record.expiresAt) {
    const leadsElsewhere = preview && record.expiredUrl !== null
    return leadsElsewhere
      ? page(200, { name: 'preview', record, ended: true })
      : expired(record, { at: record.expiresAt }, policy)
  }
  if (record.passwordHash !== null && password !== 'right') {
    if (password === 'wrong') return page(403, { name: 'password', record, wrongPassword: true })
    return method === 'POST' ? { unknown: 'password', record } : page(200, { name: 'password', record })
  }
  // Before a click is taken. Where rules decide, what they choose is asked.
  const isAlone = preview || record.routing === null
  if (isAlone && !isOpened(record.url, policy.schemes)) return page(410, { name: 'unopened', record })
  if (preview) return page(200, { name: 'preview', record })
  const card = cardFor(record, facts, policy)
  if (card) return card
  // Before a click is taken: finding out takes time, and may fail.
  if (record.routing !== null && visitor === undefined) return { unknown: 'visitor', record }
  if (record.maxClicks !== null && limit === undefined) return { unknown: 'limit', record }
  if (limit === 'reached') return expired(record, { usedUp: true }, policy)
  const choice = record.routing && visitor ? record.routing.choose(record, visitor, now, extra) : plainChoice(record)
  return redirect(record, choice, password === 'right' ? 303 : record.status, policy)
}

/**
 * What an app gets that shows a card of the link; null: what everyone gets. Where clicks are limited it takes none, and learns of
 * the destination only what its owner wrote; once they are used up it learns what everyone does.
 */
function cardFor(
  record: LinkRecord,
  { userAgent, card, limit }: RequestFacts,
  policy: RedirectPolicy,
): Decision | OpenQuestion | null {
  const isLimited = record.maxClicks !== null
  if ((record.preview === null && !isLimited) || !isPreviewFetcher(userAgent)) return null
  if (isLimited && limit === undefined) return { unknown: 'left', record }
  if (isLimited && limit === 'reached') return expired(record, { usedUp: true }, policy)
  const hasCard = record.preview !== null && !(isLimited && record.preview === 'destination')
  if (hasCard && card === undefined) return { unknown: 'card', record }
  if (!isLimited && !card) return null
  const shown = page(200, { name: 'card', record, card: card ?? null }, CARD_HEADERS)
  return isLimited ? shown : { ...shown, clicked: { linkId: record.id, destination: '' } }
}

const plainChoice = ({ url }: LinkRecord): Choice => ({ url, destination: '' })

/** The answer of a link whose time is over or whose clicks are used up. */
function expired(record: LinkRecord, why: Pick<Page, 'at' | 'usedUp'>, policy: RedirectPolicy): Decision {
  if (record.expiredUrl === null) return page(410, { name: 'expired', record, ...why })
  return { ...redirect(record, { url: record.expiredUrl, destination: '' }, 302, policy), clicked: null }
}

/** Whether browsers may keep a permanent redirect for a while. */
const isKept = ({ expiresAt, maxClicks, routing, preview }: LinkRecord) =>
  expiresAt === null && maxClicks === null && routing === null && preview === null

function redirect(record: LinkRecord, { url, destination }: Choice, status: number, policy: RedirectPolicy): Decision {
  // Its scheme was taken off the list since it was created.
  if (!isOpened(url, policy.schemes)) return page(410, { name: 'unopened', record })
  const permanent = status === 301 || status === 308
  const headers = [
    'Location',
    url,
    'Cache-Control',
    permanent && isKept(record) ? 'private, max-age=90' : 'private, no-store',
    'Referrer-Policy',
    policy.referrerPolicy,
    'X-Robots-Tag',
    'noindex',
    'Content-Length',
    '0',
  ]
  if (policy.cdnSeconds > 0 && isUnconditional(record)) headers.push('CDN-Cache-Control', `max-age=${policy.cdnSeconds}`)
  return { status, headers, page: null, text: '', outcome: 'redirect', clicked: { linkId: record.id, destination } }
}

/** What the old shortener says, where it says something else than that it does not know the code either. */
function fromUpstream(said: UpstreamAnswer | null, { referrerPolicy }: RedirectPolicy): Decision | null {
  if (said === null || said.kind === 'unknown') return null
  if (said.kind === 'redirect') {
    const headers = ['Location', said.location, ...NO_STORE, 'Referrer-Policy', referrerPolicy, 'X-Robots-Tag', 'noindex']
    return { status: said.status, headers, page: null, text: '', outcome: 'redirect', clicked: null }
  }
  if (said.kind === 'refused') return page(410, { name: 'banned', record: null })
  if (said.kind === 'busy') {
    return page(503, { name: 'unavailable', record: null }, [...PAGE_HEADERS, 'Retry-After', String(said.retryAfter)])
  }
  return page(said.kind === 'loop' ? 508 : 502, { name: 'upstream', record: null })
}

function notFound(elsewhere: string | null): Decision {
  const shown = page(404, { name: 'not-found', record: null })
  return elsewhere === null ? shown : { ...shown, status: 302, headers: ['Location', elsewhere, ...shown.headers], page: null }
}

/** The method stays: a request to the API is sent again as it was. */
function pageAt(url: string, method: string): Decision {
  const status = method === 'GET' || method === 'HEAD' ? 302 : 307
  return { ...page(status, { name: 'not-found', record: null }, ['Location', url, ...NO_STORE]), page: null }
}

function page(status: number, shown: Page, headers: RawHeaders = PAGE_HEADERS): Decision {
  return { status, headers, page: shown, text: '', outcome: shown.name, clicked: null }
}

function notAllowed(): Decision {
  const headers = ['Allow', 'GET, HEAD', ...NO_STORE, 'Content-Type', 'text/plain; charset=utf-8']
  return { status: 405, headers, page: null, text: 'Use GET, HEAD.\n', outcome: 'method', clicked: null }
}

const PICTURE_TYPES = { svg: 'image/svg+xml', png: 'image/png' } as const

/** Kept for some minutes, since a link that is banned meanwhile must not be shown for long. */
function pictureOf({ format, tag, isHeld }: PictureFacts): Decision {
  const headers = [
    ...['Cache-Control', 'public, max-age=300', 'ETag', tag, 'X-Robots-Tag', 'noindex'],
    ...['Content-Type', PICTURE_TYPES[format], 'X-Content-Type-Options', 'nosniff'],
    ...['Content-Security-Policy', PICTURE_POLICY],
  ]
  const decision: Decision = { status: isHeld ? 304 : 200, headers, page: null, text: '', outcome: 'picture', clicked: null }
  return isHeld ? decision : { ...decision, drawn: true }
}

/** Opened by itself, an SVG is a page: this one can do nothing. */
export const PICTURE_POLICY = "default-src 'none'; img-src data:; sandbox"
