import type { CachedRecord, LinkRecord } from './record'

export type PageName = 'password' | 'preview' | 'not-found' | 'gone' | 'inactive' | 'expired' | 'disabled' | 'banned'

/** Header names and values in turn, as node:http writes them. */
export type Headers = string[]

export type Decision =
  | {
      kind: 'redirect'
      status: number
      location: string
      headers: Headers
      /** The link has a click limit: one click must be taken before the redirect is answered. */
      limited: boolean
      /** It leads where the link leads, and so is a click. */
      counted: boolean
    }
  | { kind: 'page'; page: PageName; status: number; headers: Headers; record: LinkRecord | null }

export interface RequestFacts {
  /** The path ended with `+`: show where the link leads. */
  preview: boolean
  /** The link's password was given, and was right. */
  unlocked: boolean
}

export interface RedirectPolicy {
  referrerPolicy: string
  /** `CDN-Cache-Control` lifetime for plain redirects in seconds; 0 leaves it out. */
  cdnSeconds: number
  /** How long a deleted code answers 410, in ms. */
  quarantine: number
}

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

/**
 * What a request for a link is answered with. Pure: the lane turns the result into a node response,
 * app/[...code]/route.ts into a web Response.
 * @param now ms since 1970
 */
export function decide(record: CachedRecord | null, facts: RequestFacts, now: number, policy: RedirectPolicy): Decision {
  if (record === null) return page('not-found', 404, null)
  if (record.kind === 'tombstone') {
    return now < record.deletedAt + policy.quarantine ? page('gone', 410, null) : page('not-found', 404, null)
  }
  if (record.state === 'banned') return page('banned', 410, record)
  if (record.state !== 'active') return page('disabled', 410, record)
  if (record.startsAt !== null && now < record.startsAt) return page('inactive', 404, record)
  if (record.expiresAt !== null && now >= record.expiresAt) return expired(record, policy)
  if (record.passwordHash !== null && !facts.unlocked) return page('password', 200, record)
  if (facts.preview) return page('preview', 200, record)
  return redirect(record, record.url, facts.unlocked ? 303 : record.status, policy)
}

/** The answer of a link whose time is over or whose clicks are used up. */
export function expired(record: LinkRecord, policy: RedirectPolicy): Decision {
  if (record.expiredUrl === null) return page('expired', 410, record)
  return { ...redirect(record, record.expiredUrl, 302, policy), limited: false, counted: false }
}

function redirect(record: LinkRecord, location: string, status: number, policy: RedirectPolicy): Decision & { kind: 'redirect' } {
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
  return { kind: 'redirect', status, location, headers, limited: record.maxClicks !== null, counted: true }
}

function page(name: PageName, status: number, record: LinkRecord | null): Decision {
  return {
    kind: 'page',
    page: name,
    status,
    headers: ['Cache-Control', 'no-store', 'X-Robots-Tag', 'noindex'],
    record,
  }
}
