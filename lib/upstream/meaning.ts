import { type AnyRedirect, isRedirect } from '@/lib/tools/redirects'
import { stripEnd } from '@/lib/tools/strip'
import { parseUrl } from '@/lib/tools/url'
import type { UpstreamReply } from './upstream'

/** What was asked. */
export interface Asked {
  /** Where the request went. */
  url: URL
  /** The same as a visitor has it: the old shortener's answer is read from there. */
  shortUrl: URL
  /** The Host header that was sent. */
  host: string
}

/** These say nothing of the code: who asks is wrong, or too early. */
const NOT_OF_THE_CODE = new Set([401, 403, 407, 408, 421, 425, 426, 429])

/**
 * What an answer of the old shortener says of a code.
 * @param isOwn whether an address is one of our domains
 */
export function meaningOf(
  { status, location }: { status: number; location: string | undefined },
  asked: Asked,
  isOwn: (href: string) => boolean,
): UpstreamReply {
  if (isRedirect(status)) return redirectTo(status, location, asked, isOwn)
  // A page of its own: it has no link here, or one that asks for something first and cannot come over by itself.
  if (status >= 200 && status < 300) return { kind: 'unknown' }
  if (status >= 400 && status < 500 && !NOT_OF_THE_CODE.has(status)) return { kind: 'unknown' }
  return { kind: 'failed', why: status === 508 ? 'loop' : 'status' }
}

function redirectTo(
  status: AnyRedirect,
  location: string | undefined,
  { url, shortUrl, host }: Asked,
  isOwn: (href: string) => boolean,
): UpstreamReply {
  const target = location === undefined ? null : parseUrl(utf8(location), shortUrl)
  if (target === null) return { kind: 'failed', why: 'status' }
  const isItself = isOwn(target.href) || target.host === url.host || target.host === host
  if (!isItself) return { kind: 'redirect', status, location: target.href, isOwn: false }
  // Where its codes lie, which visitors do not have in front of theirs.
  const below = url.pathname.endsWith(shortUrl.pathname) ? url.pathname.slice(0, -shortUrl.pathname.length) : ''
  const isBelow = below !== '' && `${target.pathname}/`.startsWith(`${below}/`)
  const path = (isBelow && !isOwn(target.href) ? target.pathname.slice(below.length) : target.pathname) || '/'
  // To its front page: how many of them answer a code that they do not know.
  if (path === '/' || target.pathname === '/') return { kind: 'unknown' }
  if (stripEnd(path, '/') === stripEnd(shortUrl.pathname, '/')) return { kind: 'failed', why: 'loop' }
  if (isOwn(target.href)) return { kind: 'redirect', status, location: target.href, isOwn: true }
  // Its own address is ours to know: visitors ask for the next one as they asked for this one.
  const next = Object.assign(new URL(shortUrl), { pathname: path, search: target.search, hash: target.hash })
  return { kind: 'redirect', status, location: next.href, isOwn: true }
}

/** Node reads bytes as latin1; what was sent unencoded was UTF-8. */
const utf8 = (text: string) => (/[\u0080-\u00ff]/.test(text) ? Buffer.from(text, 'latin1').toString() : text)
