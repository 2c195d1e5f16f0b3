import type { Threats } from '@/lib/blocklist/threats'
import { failureOf, type Outbound } from '@/lib/net/outbound'
import { fetchPage } from '@/lib/net/page'
import { parseUrl } from '@/lib/tools/url'
import { type Finding, ofFailure, ofStatus } from './judge'
import { looksParked } from './parking'

/** For all that a destination is asked, in ms; how much of its page is looked at, and how many redirects are followed. */
const PATIENCE = 10_000
const MOST_BYTES = 128 * 1024
const MOST_REDIRECTS = 10

/** What checks are made with. */
export interface CheckContext {
  outbound: Pick<Outbound, 'fetch'>
  threats: Pick<Threats, 'find'>
  /** How we introduce ourselves. */
  agent: string
  /** Whether a link may lead there: asked of each address before it is, those of redirects too. */
  allows: (url: string) => boolean
}

/** What the list of threats says of a destination; null: nothing. Asks nobody. */
export function listed({ threats }: Pick<CheckContext, 'threats'>, href: string): Finding | null {
  const threat = threats.find(href)
  return threat && { is: 'wrong', reason: threat === 'sure' ? 'threat' : 'maybe', status: null }
}

/** What is found of a destination by an address that is not asked. */
class NotAsked extends Error {
  constructor(readonly finding: Finding) {
    super()
  }
}

/** Asks a destination how it is. Never throws. */
export async function check(ctx: CheckContext, href: string, signal: AbortSignal): Promise<Finding> {
  const url = parseUrl(href)
  if (!url) return { is: 'unknown' }
  const guard = ({ href: next }: URL) => {
    const threat = listed(ctx, next)
    if (threat) throw new NotAsked(threat)
    // Nothing is wrong with it: it leads to what this site has rules against, or to this site itself.
    if (!ctx.allows(next)) throw new NotAsked({ is: 'unknown' })
  }
  const limits = { timeout: PATIENCE, maxBytes: MOST_BYTES, redirects: MOST_REDIRECTS }
  try {
    const asked = fetchPage(ctx.outbound, url, { ...limits, accept: 'text/html,*/*;q=0.5', agent: ctx.agent, guard, signal })
    const { url: at, status, headers, body } = await asked
    const finding = ofStatus(status)
    if (finding.is !== 'well') return finding
    const isHtml = /html/i.test(headers['content-type'] ?? '')
    const parked = looksParked(url, at, isHtml ? body.toString('latin1') : '')
    return parked ? { is: 'wrong', reason: 'parked', status } : finding
  } catch (error) {
    if (error instanceof NotAsked) return error.finding
    return signal.aborted ? { is: 'unknown' } : ofFailure(failureOf(error))
  }
}
