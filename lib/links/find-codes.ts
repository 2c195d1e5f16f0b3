import type { Claim } from '@/lib/codes/registry'
import type { Link } from '@/lib/db/generated/client'
import type { TerseError } from '@/lib/errors'
import { type OutboxRow, outboxRow } from '@/lib/redirect/outbox'
import { Breath } from '@/lib/tools/breath'
import type { Importer } from './came-over'
import { codeReserved, codeTaken, isUndecided, noCode } from './code-claims'
import type { LinkContext } from './context'
import { type Draft, type WantedLink, withCode } from './draft'
import { above, type Former, formersOf, quarantineEnd, type Taker } from './former'
import type { Permitted } from './permit'

/** One of many new links, on its way to a code. */
export interface Seeker {
  /** What it was asked for as. */
  input: Permitted<WantedLink>
  draft: Draft
  /** Who imports it, and may complete the one that came over; null: it is no import. */
  importer: Importer | null
  host: string
  /** The code that was chosen: it has that one or none. null: none was. */
  chosen: string | null
  /** The codes that it may have, the best first. */
  codes: Iterator<string, void>
  /** Who wants one. */
  by: Taker
  /** How many of them the filter refused. */
  refusals: number
  /** null: it seeks. An error: it gets no code. */
  found: Found | Completing | TerseError | null
}

export interface Found {
  link: Permitted<Link>
  /** To be written with the link where it is not sure that the filter knows the code; null: it does. */
  outbox: OutboxRow | null
}

/** The link is here already, of which the old shortener told a redirect and no more (./complete.ts). */
export interface Completing {
  completes: Link
  full: string
}

/** A code that a link asks for. */
interface Asked {
  seeker: Seeker
  code: string
  full: string
}

/**
 * Finds codes for all that seek one, in rounds: in each, the next code of every link is claimed in one round trip a shard, and
 * MySQL is asked once about those that Redis cannot decide. What a code means is decided as for one link.
 * One that finds none keeps no other from its own.
 * @param seekers in their order: of two that want the same code the first gets it
 * @throws TerseError 'unavailable'
 */
export async function findCodes(ctx: LinkContext, seekers: readonly Seeker[]): Promise<void> {
  const ours = new Set(foundOf(seekers).map(({ link }) => link.fullShortUrl))
  const isSeeking = ({ found }: Seeker) => found === null
  for (let seeking = seekers.filter(isSeeking); seeking.length > 0; seeking = seeking.filter(isSeeking)) {
    const asked = await nextCodes(ctx, seeking)
    if (asked.length === 0) return
    const claims = await ctx.registry.claim(asked.map(({ full }) => full))
    for (const claim of claims) ctx.metrics.claims.inc({ result: claim })
    const claimOf = (index: number) => claims[index] ?? 'unknown'
    const undecided = asked.filter(({ seeker }, index) => isOpen(seeker, claimOf(index))).map(({ full }) => full)
    const [formers, taken] = await Promise.all([formersOf(ctx, undecided), takenOf(ctx, undecided)])
    for (const [index, one] of asked.entries()) decide(ctx, one, claimOf(index), { formers, taken, ours })
  }
}

/** What was found so far. */
export const foundOf = (seekers: readonly Seeker[]): Found[] =>
  seekers.flatMap(({ found }) => (found && 'link' in found ? [found] : []))

/** Which of these codes links have. @throws TerseError 'unavailable' */
export async function takenOf(ctx: Pick<LinkContext, 'db'>, fulls: readonly string[]): Promise<Set<string>> {
  if (fulls.length === 0) return new Set()
  const rows = await ctx.db.rows<{ fullShortUrl: string }>('SELECT fullShortUrl FROM Link WHERE fullShortUrl IN (?)', fulls)
  return new Set(rows.map(({ fullShortUrl }) => fullShortUrl))
}

async function nextCodes(ctx: LinkContext, seeking: readonly Seeker[]): Promise<Asked[]> {
  const breath = new Breath()
  const asked: Asked[] = []
  for (const seeker of seeking) {
    const code = nextCode(ctx, seeker)
    if (code === null) seeker.found = noCode()
    else asked.push({ seeker, code, full: ctx.domains.fullOf(seeker.host, code) })
    if (breath.isDue) await breath.pause()
  }
  return asked
}

function nextCode(ctx: LinkContext, { codes, chosen }: Seeker): string | null {
  for (;;) {
    const { value: code } = codes.next()
    if (code === undefined) return null
    if (chosen !== null || !ctx.blocklist.isBlocked({ code })) return code
  }
}

/** Whether MySQL decides. */
const isOpen = ({ chosen, refusals }: Seeker, claim: Claim) =>
  chosen !== null ? claim !== 'claimed' : isUndecided(claim, refusals)

interface Known {
  formers: ReadonlyMap<string, Former>
  /** Codes of links that are there. */
  taken: ReadonlySet<string>
  /** Codes that were found for others of these links. */
  ours: Set<string>
}

function decide(ctx: LinkContext, { seeker, code, full }: Asked, claim: Claim, { formers, taken, ours }: Known): void {
  const isUnsure = isOpen(seeker, claim)
  if (claim === 'maybe') seeker.refusals += 1
  if (claim !== 'claimed' && !isUnsure) return
  const former = formers.get(full) ?? null
  const until = quarantineEnd(ctx, former, seeker.by)
  if (until) {
    if (seeker.chosen !== null) seeker.found = codeReserved(code, until)
  } else if (taken.has(full) || ours.has(full)) {
    if (seeker.chosen !== null) seeker.found = codeTaken(code)
    else ctx.metrics.collisions.inc()
  } else {
    ours.add(full)
    const link = above(withCode(ctx, seeker.draft, seeker.host, code), [former])
    seeker.found = { link, outbox: claim === 'claimed' ? null : outboxRow(full) }
  }
}
