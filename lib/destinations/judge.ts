import { HEALTH_NUMBERS, type HealthReason } from '@/lib/links/health'
import type { OutboundFailure } from '@/lib/net/outbound'
import { DAY, HOUR } from '@/lib/tools/time'

/** What one check found. `unknown`: it says nothing, neither good nor bad. */
export type Finding = { is: 'well' } | { is: 'unknown' } | { is: 'wrong'; reason: HealthReason; status: number | null }

/** What is known of a link. Times in ms since 1970. */
export interface Health {
  state: number
  reason: string
  status: number | null
  failures: number
  since: number
}

/** How often, and for how long, something must be wrong before it is said. What is on the list is said at once. */
const PROOF = { dead: { failures: 3, span: 2 * DAY - HOUR }, parked: { failures: 2, span: DAY - HOUR } } as const
/** When it is looked at again, in ms: before it is said, and after. */
const AGAIN = { failing: DAY, said: 3 * DAY } as const

/** What a failure to get any answer says of a destination: an address that we do not ask is none of our business. */
const OF_FAILURES: Partial<Record<OutboundFailure, HealthReason>> = {
  name: 'name',
  certificate: 'certificate',
  connection: 'connection',
  timeout: 'timeout',
  redirects: 'redirects',
}

export function ofFailure(failure: OutboundFailure): Finding {
  const reason = OF_FAILURES[failure]
  return reason ? { is: 'wrong', reason, status: null } : { is: 'unknown' }
}

/**
 * What a status says. Who is asked for a password, is forbidden to look, or asks too often learns nothing: there is a page, and
 * it is not for programs.
 */
export function ofStatus(status: number): Finding {
  if (status === 404 || status === 410 || status >= 500) return { is: 'wrong', reason: 'status', status }
  return status >= 200 && status < 400 ? { is: 'well' } : { is: 'unknown' }
}

/**
 * What is known of a link after a check.
 * @param before null: it was well @returns null: it is well
 */
export function afterCheck(before: Health | null, finding: Finding, now: number): (Health & { dueAt: number }) | null {
  if (finding.is === 'well') return null
  if (finding.is === 'unknown') return before && { ...before, dueAt: now + AGAIN.failing }
  const { reason, status } = finding
  const kind = kindOf(reason)
  // Dead in another way is dead still.
  const goesOn = before !== null && kindOf(before.reason as HealthReason) === kind
  const since = goesOn ? before.since : now
  const failures = (goesOn ? before.failures : 0) + 1
  const isProved = kind === 'threat' || (failures >= PROOF[kind].failures && now - since >= PROOF[kind].span)
  const state = isProved ? HEALTH_NUMBERS[kind] : HEALTH_NUMBERS.failing
  return { state, reason, status, failures, since, dueAt: now + (isProved ? AGAIN.said : AGAIN.failing) }
}

function kindOf(reason: HealthReason): 'dead' | 'parked' | 'threat' {
  if (reason === 'parked') return 'parked'
  return reason === 'threat' || reason === 'maybe' ? 'threat' : 'dead'
}
