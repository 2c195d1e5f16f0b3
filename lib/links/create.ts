import type { Actor } from '@/lib/actor'
import type { Claimed } from '@/lib/codes/registry'
import type { Transaction } from '@/lib/db/client'
import { isUniqueViolation } from '@/lib/db/errors'
import type { Link } from '@/lib/db/generated/client'
import { nextId } from '@/lib/db/id'
import type { DomainRow } from '@/lib/domains/domains'
import { invalidField, TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { limitKey } from '@/lib/net/address'
import { outboxRow } from '@/lib/redirect/outbox'
import { toRecord } from '@/lib/redirect/record'
import { sha256 } from '@/lib/tools/hash'
import { hashPassword } from '@/lib/tools/password'
import { manageToken } from './access'
import { announceNew, commit } from './announce'
import type { LinkContext } from './context'
import { above, formerOf, quarantineEnd } from './former'
import { type Idempotency, idempotencyRow } from './idempotency'
import { insertLinks } from './insert'
import { type Permitted, permitNew } from './permit'
import type { CreateLinkData } from './schemas'

export interface New {
  isNew: true
  link: Link
  manageToken: string | null
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
): Promise<New> {
  return createUnlessFound<never>(ctx, actor, input, idempotency, null)
}

/** Creates a link, unless `findTwin` has something that will do: it is asked first, and whenever a code turns out to be taken. */
export async function createUnlessFound<T>(
  ctx: LinkContext,
  actor: Actor,
  input: CreateLinkData,
  idempotency: Idempotency | null,
  findTwin: FindTwin<T> | null,
): Promise<New | T> {
  const permitted = permitNew(ctx, actor, input)
  const domain = await domainOf(ctx, input.domain)
  const twin = await findTwin?.(domain, permitted)
  if (twin) return twin
  const draft = await draftOf(ctx, actor, domain, permitted)
  if (input.code === undefined) {
    return insertGenerated(ctx, actor, domain, draft, idempotency, findTwin && (() => findTwin(domain, permitted)))
  }
  return insertCustom(ctx, domain, draft, input.code, idempotency)
}

export type Draft = Permitted<Omit<Link, 'code' | 'fullShortUrl'>> & { manageToken: string | null }

/** What jobs leave of the links that their account may make in a minute: one in so many, for requests that cannot wait. */
const LEFT_TO_REQUESTS = 5

/**
 * Counts one link, whichever way it is made: against what its account may make in a minute, or else against what those without
 * an account may from one address. What this server makes by itself is not counted.
 * @throws TerseError 'rate_limited'
 */
async function takeFromBudget({ limits, config }: LinkContext, { ownerId, origin }: Actor): Promise<void> {
  if (ownerId !== null) {
    await limits.consume('links', ownerId, origin.isJob ? Math.floor(config.LINKS_PER_MINUTE / LEFT_TO_REQUESTS) : 0)
  } else if (origin.address !== null) {
    await limits.consume('create', limitKey(origin.address))
  }
}

/** The row of a new link, but for its code. @throws TerseError 'rate_limited' for who has made too many */
export async function draftOf(
  ctx: LinkContext,
  actor: Actor,
  domain: DomainRow,
  input: Permitted<CreateLinkData>,
): Promise<Draft> {
  await takeFromBudget(ctx, actor)
  const id = nextId()
  const now = new Date()
  const token = actor.ownerId === null ? manageToken(ctx.config.APP_SECRET, id) : null
  const draft: Omit<Draft, keyof Permitted<unknown>> = {
    id,
    domainId: domain.id,
    url: input.url,
    urlHash: sha256(input.url),
    ownerId: actor.ownerId,
    manageToken: token,
    manageTokenHash: token === null ? null : sha256(token),
    title: input.title ?? '',
    redirectStatus: input.redirectStatus ?? 302,
    passwordHash: input.password ? await hashPassword(input.password) : null,
    startsAt: input.startsAt ?? null,
    expiresAt: input.expiresAt ?? null,
    expiredUrl: input.expiredUrl ?? null,
    maxClicks: input.maxClicks ?? null,
    taken: 0,
    state: input.enabled === false ? 'disabled' : 'active',
    banReason: '',
    stateBeforeBan: '',
    listed: input.listed ?? false,
    shared: false,
    clicks: 0n,
    createdAt: now,
    updatedAt: now,
    version: id,
  }
  return draft as Draft
}

/** How many codes in a row the filter alone may refuse: the first is known when the same address was shortened before. */
const BELIEVED_REFUSALS = 2

/** The row of a draft under one code. */
export function withCode({ manageToken: _token, ...draft }: Draft, host: string, code: string): Permitted<Link> {
  return { ...draft, code, fullShortUrl: `${host}/${code}` }
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
  for (const code of ctx.codes.candidates(draft.url, actor.ownerId)) {
    if (ctx.blocklist.isBlocked({ code })) continue
    const link = withCode(draft, domain.host, code)
    const { claim, number } = await claimOne(ctx, link.fullShortUrl)
    // Another request may hold the claim for the very link we want: the index makes us wait for it.
    // And a filter that is too full takes nearly every code for a known one.
    const doubted = claim === 'maybe' && (findTwin !== null || refusals >= BELIEVED_REFUSALS)
    if (claim === 'maybe') refusals += 1
    const undecided = claim === 'unknown' || claim === 'reclaimed' || doubted
    const former = undecided ? await formerOf(ctx, link.fullShortUrl) : null
    const free = claim === 'claimed' || (undecided && !quarantineEnd(ctx, former))
    const made = free ? await insert(ctx, above(link, [former]), { claim, number }, idempotency) : null
    if (made) return { isNew: true, link: made, manageToken: draft.manageToken }
    if (free) ctx.metrics.collisions.inc()
    // Someone may have made the very same link since we looked: then its first candidate stood in our way.
    const twin = await findTwin?.()
    if (twin) return twin
  }
  throw new TerseError('unavailable', say('api.link.noCode'), {
    retryAfter: 1,
  })
}

async function insertCustom(
  ctx: LinkContext,
  domain: DomainRow,
  draft: Draft,
  code: string,
  idempotency: Idempotency | null,
): Promise<New> {
  const link = withCode(draft, domain.host, code)
  const { claim, number } = await claimOne(ctx, link.fullShortUrl)
  // The filter errs now and then, and Redis may have forgotten the quarantine: only MySQL knows.
  const former = claim === 'claimed' ? null : await formerOf(ctx, link.fullShortUrl)
  const until = quarantineEnd(ctx, former)
  if (until) {
    const message = Number.isFinite(until)
      ? say('api.link.codeReserved', { code, until })
      : say('api.link.codeReservedForever', { code })
    throw new TerseError('conflict', message, { errors: [{ path: 'code', message }] })
  }
  const made = await insert(ctx, above(link, [former]), { claim, number }, idempotency)
  if (made) return { isNew: true, link: made, manageToken: draft.manageToken }
  throw new TerseError('conflict', say('api.link.codeTaken', { code }), {
    errors: [{ path: 'code', message: say('api.link.codeTaken', { code }) }],
  })
}

async function claimOne(ctx: LinkContext, full: string): Promise<Claimed> {
  const claimed = await ctx.registry.claimOne(full)
  ctx.metrics.claims.inc({ result: claimed.claim })
  return claimed
}

/**
 * Inserts the row; the unique index has the last word.
 * @returns null when the code is taken
 */
async function insert(
  ctx: LinkContext,
  link: Permitted<Link>,
  { claim, number }: Claimed,
  idempotency: Idempotency | null,
): Promise<Link | null> {
  const full = link.fullShortUrl
  // Without a claim the filter, or the one that follows it, may not know the code, should this process die before it says so.
  const before = { number, outbox: claim === 'claimed' ? null : outboxRow(full) }
  const write = async (tx: Transaction) => {
    await insertLinks(tx, [link])
    if (idempotency) await tx.idempotencyKey.createMany({ data: [idempotencyRow(idempotency, link, ctx.domains)] })
    return link
  }
  try {
    if (before.outbox || idempotency || ctx.requireTurn) {
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
  return link
}

export async function domainOf(ctx: LinkContext, name: string | undefined): Promise<DomainRow> {
  if (name === undefined) return ctx.domains.default()
  const domain = ctx.domains.find(name)
  if (!domain) throw invalidField('domain', say('api.link.domain'))
  return domain
}
