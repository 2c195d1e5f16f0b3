import type { AnyRedirect } from '@/lib/tools/redirects'

/** What the old shortener of a domain is, and what it can answer (docs/decisions/0054-upstream.md). */

export interface Upstream {
  /** Where it is reached: scheme, host, port, and a path in front of its codes where it has one. */
  url: string
  /** The Host header that it gets; null: the domain's own. */
  host: string | null
  /** Whose links come over; null: an account that is gone. */
  ownerId: string | null
}

/** Who followed the short link that was asked for, as far as its request tells. */
export const ASKERS = ['person', 'preview', 'bot', 'head'] as const
export type Asker = (typeof ASKERS)[number]

/** Why it gave no answer that says anything of a code. */
export const FAILURES = [
  ...(['timeout', 'connection', 'name', 'certificate', 'status', 'loop', 'private', 'refused'] as const),
] as const
export type UpstreamFailure = (typeof FAILURES)[number]

/** What it says of a code. */
export type UpstreamReply =
  | { kind: 'redirect'; status: AnyRedirect; location: string; isOwn: boolean }
  | { kind: 'unknown' }
  | { kind: 'failed'; why: UpstreamFailure }

/** What a visitor is told. */
export type UpstreamAnswer =
  /** @param isTaken there is a link of ours now: look again */
  | { kind: 'redirect'; status: AnyRedirect; location: string; isTaken: boolean }
  | { kind: 'unknown' }
  /** It leads to where our rules let no link lead. */
  | { kind: 'refused' }
  | { kind: 'failed'; why: UpstreamFailure }
  /** More codes were asked for than it may be asked. In seconds. */
  | { kind: 'busy'; retryAfter: number }
  /** This very deployment asks: nobody is asked, and the question is not answered. */
  | { kind: 'loop' }

/** The header by which a deployment knows its own questions. */
export const LOOP_HEADER = 'terse-upstream'
