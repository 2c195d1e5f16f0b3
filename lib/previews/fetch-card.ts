import { failureOf, type Outbound, type OutboundFailure } from '@/lib/net/outbound'
import { fetchPage } from '@/lib/net/page'
import { cardOf } from './page-card'
import type { Card } from './values'

/** For all of it, in ms, and how much of a page is read, once it is unpacked. */
const PATIENCE = 2_000
const MOST_BYTES = 512 * 1024
const MOST_REDIRECTS = 5

/**
 * Why a page has no card: it could not be asked, it is no HTML page, it says nothing of itself, it
 * answered with an error, or the rules of this site refuse it.
 */
export type CardFailure = OutboundFailure | 'type' | 'empty' | 'status' | 'blocked'

export type Fetched = { card: Card; failure: null } | { card: null; failure: CardFailure; isFinal: boolean }

/** Failures that may pass. An answer stays, and so does what we refuse to ask. */
const PASSING: readonly CardFailure[] = ['connection', 'name', 'other', 'timeout']

export const REFUSED = { card: null, failure: 'blocked', isFinal: true } as const satisfies Fetched

/** The rules of this site refuse an address. */
class BlockedError extends Error {}

/**
 * Asks the page that a link leads to what it says of itself. Never throws.
 * @param agent how we introduce ourselves
 * @param allows whether a link may lead there: asked of each address before it is, those of redirects too
 */
export async function fetchCard(
  outbound: Pick<Outbound, 'fetch'>,
  url: URL,
  agent: string,
  allows: (url: string) => boolean,
): Promise<Fetched> {
  const guard = ({ href }: URL) => {
    if (!allows(href)) throw new BlockedError(href)
  }
  const limits = { timeout: PATIENCE, maxBytes: MOST_BYTES, redirects: MOST_REDIRECTS }
  try {
    const asked = fetchPage(outbound, url, { ...limits, accept: 'text/html,application/xhtml+xml', agent, guard })
    const { url: at, status, headers, body } = await asked
    if (status !== 200) return { card: null, failure: 'status', isFinal: status < 500 && status !== 429 }
    const type = headers['content-type'] ?? ''
    if (!/^\s*(text\/html|application\/xhtml\+xml)\s*(;|$)/i.test(type)) return { card: null, failure: 'type', isFinal: true }
    const card = await cardOf(body, type, at)
    return card ? { card, failure: null } : { card: null, failure: 'empty', isFinal: true }
  } catch (error) {
    if (error instanceof BlockedError) return REFUSED
    const failure = failureOf(error)
    return { card: null, failure, isFinal: !PASSING.includes(failure) }
  }
}
