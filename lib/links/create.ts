import type { Actor } from '@/lib/actor'
import type { Claimed } from '@/lib/codes/registry'
import type { Transaction } from '@/lib/db/client'
import { isUniqueViolation } from '@/lib/db/errors'
import type { Link } from '@/lib/db/generated/client'
import type { DomainRow } from '@/lib/domains/domains'
import { noteEvents } from '@/lib/events/outbox'
import { fileNew, isFiled } from '@/lib/labels/filing'
import type { Filing } from '@/lib/labels/schemas'
import { outboxRow } from '@/lib/redirect/outbox'
import { toRecord } from '@/lib/redirect/record'
import { announceNew, commit } from './announce'
import { requireOwnPath } from './below'
import { BELIEVED_REFUSALS, codeReserved, codeTaken, isUndecided, noCode } from './code-claims'
import type { LinkContext } from './context'
import { type Draft, domainOf, draftOf, withCode } from './draft'
import { isHeard, linkEvents, tellLateOf } from './events'
import { above, formerOf, quarantineEnd, takerOf } from './former'
import { type Idempotency, idempotencyRow } from './idempotency'
import { insertLinks } from './insert'
import { requireOwnOffline } from './offline'
import { type Coming, type Permitted, permitNew } from './permit'
import type { CreateLinkData } from './schemas'

export interface New {
  isNew: true
  link: Link
  manageToken: string | null
  /** How its owner filed it; null without an account. */
  filing: Filing | null
}

/** Looks for what may stand in for a link that is asked for. */
export type FindTwin<T> = (domain: DomainRow, input: Permitted<CreateLinkData>) => Promise<T | null>

/**
 * Creates a link. `reuse` means nothing here: that is `createOrReuse`.
 * @throws TerseError 'unauthorized', 'forbidden', 'validation_failed', 'rate_limited', 'conflict' (the custom code is taken) or
 *   'unavailable'
 */
export function createLink(
  ctx: LinkContext,
  actor: Actor,
  input: CreateLinkData,
  idempotency: Idempotency | null = null,
  how: Coming = {},
): Promise<New> {
  return createUnlessFound<never>(ctx, actor, input, idempotency, null, how)
}

/** Creates a link, unless `findTwin` has something that will do: it is asked first, and whenever a code turns out to be taken. */
export async function createUnlessFound<T>(
  ctx: LinkContext,
  actor: Actor,
  input: CreateLinkData,
  idempotency: Idempotency | null,
  findTwin: FindTwin<T> | null,
  how: Coming = {},
): Promise<New | T> {
  const permitted = permitNew(ctx, actor, input, how)
  const domain = await domainOf(ctx, input.domain)
  const twin = await findTwin?.(domain, permitted)
  if (twin) return twin
  const draft = await draftOf(ctx, actor, { domain, input: permitted })
  if (input.code === undefined) {
    return insertGenerated(ctx, actor, domain, draft, idempotency, findTwin && (() => findTwin(domain, permitted)))
  }
  return insertCustom(ctx, actor, domain, draft, input.code, idempotency, how)
}

async function insertGenerated<T>(
  ctx: LinkContext,
  actor: Actor,
  domain: DomainRow,
  draft: Draft,
  idempotency: Idempotency | null,
  findTwin: (() => Promise<T | null>) | null,
): Promise<New | T> {
  let refusals = 0
  for (const code of ctx.codes.candidates(draft.row.url, actor.ownerId, ctx.domains.isFolded(domain.host))) {
    if (ctx.blocklist.isBlocked({ code })) continue
    const link = withCode(ctx, draft, domain.host, code)
    const { claim, number } = await claimOne(ctx, link.fullShortUrl)
    // Another request may hold the claim for the very link we want: the index makes us wait for it.
    const undecided = isUndecided(claim, findTwin === null ? refusals : BELIEVED_REFUSALS)
    if (claim === 'maybe') refusals += 1
    const former = undecided ? await formerOf(ctx, link.fullShortUrl) : null
    const free = claim === 'claimed' || (undecided && !quarantineEnd(ctx, former, takerOf(actor, draft.row)))
    const made = free ? await insert(ctx, draft, above(link, [former]), { claim, number }, idempotency) : null
    if (made) return newOf(made, draft)
    if (free) ctx.metrics.collisions.inc()
    // Someone may have made the very same link since we looked: then its first candidate stood in our way.
    const twin = await findTwin?.()
    if (twin) return twin
  }
  throw noCode()
}

async function insertCustom(
  ctx: LinkContext,
  actor: Actor,
  domain: DomainRow,
  draft: Draft,
  code: string,
  idempotency: Idempotency | null,
  how: Coming,
): Promise<New> {
  const link = withCode(ctx, draft, domain.host, code)
  await requireOwnPath(ctx, actor, { host: domain.host, code: link.code })
  await requireOwnOffline(ctx, actor.ownerId, { host: domain.host, code: link.code, url: link.url })
  const { claim, number } = await claimOne(ctx, link.fullShortUrl)
  // The filter errs now and then, and Redis may have forgotten the quarantine: only MySQL knows.
  const former = claim === 'claimed' ? null : await formerOf(ctx, link.fullShortUrl)
  const until = quarantineEnd(ctx, former, takerOf(actor, draft.row))
  if (until) throw codeReserved(code, until)
  const made = await insert(ctx, draft, above(link, [former]), { claim, number }, idempotency, how)
  if (made) return newOf(made, draft)
  throw codeTaken(code)
}

async function claimOne(ctx: LinkContext, full: string): Promise<Claimed> {
  const claimed = await ctx.registry.claimOne(full)
  ctx.metrics.claims.inc({ result: claimed.claim })
  return claimed
}

const newOf = (link: Link, { manageToken, filing }: Draft): New => ({ isNew: true, link, manageToken, filing })

/**
 * Inserts the row; the unique index has the last word.
 * @returns null when the code is taken
 */
async function insert(
  ctx: LinkContext,
  { filing, filed }: Draft,
  link: Permitted<Link>,
  { claim, number }: Claimed,
  idempotency: Idempotency | null,
  { isFromUpstream = false }: Coming = {},
): Promise<Link | null> {
  const full = link.fullShortUrl
  // Without a claim the filter, or the one that follows it, may not know the code, should this process die before it says so.
  const before = { number, outbox: claim === 'claimed' ? null : outboxRow(full) }
  const isTold = await isHeard(ctx, 'link.created', link.ownerId)
  const write = async (tx: Transaction) => {
    await insertLinks(tx, [link])
    await fileNew(tx, [{ link, filed }])
    if (isFromUpstream) await tx.upstreamLink.createMany({ data: [{ linkId: link.id, version: link.version }] })
    if (idempotency) await tx.idempotencyKey.createMany({ data: [idempotencyRow(idempotency, link, ctx.domains, filing)] })
    if (isTold) await noteEvents(tx, linkEvents(ctx, 'link.created', [link]))
    return link
  }
  try {
    if (before.outbox || idempotency || isTold || ctx.requireTurn || isFromUpstream || isFiled(filing ?? {})) {
      await commit(ctx, { full, isNew: true, recordOf: toRecord, write }, before)
    } else {
      // Nothing stands or falls with the row: it goes with others.
      await ctx.inserts.add(link)
      await announceNew(ctx, full, toRecord(link), number, null)
    }
  } catch (error) {
    if (!isUniqueViolation(error, 'Link_fullShortUrl_key')) throw error
    // The filter did not know it, or it would not have come to this: tell it now.
    if (claim === 'claimed') await ctx.registry.add([{ full, freedAt: null }], 'current').catch(() => {})
    return null
  }
  await tellLateOf(ctx, 'link.created', isTold, link)
  return link
}
