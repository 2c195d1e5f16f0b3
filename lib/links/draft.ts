import type { Actor } from '@/lib/actor'
import type { Link } from '@/lib/db/generated/client'
import { nextId } from '@/lib/db/id'
import type { DomainRow } from '@/lib/domains/domains'
import { invalidField, isTerseError, type TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { type Filed, filedAs, filingIn, NOT_FILED } from '@/lib/labels/filing'
import { ensureLabels, KnownLabels, labelsIn, rehearseLabels } from '@/lib/labels/labels'
import type { Filing } from '@/lib/labels/schemas'
import { limitKey } from '@/lib/net/address'
import { notePreview } from '@/lib/previews/note-preview'
import type { RoutingFields } from '@/lib/routing/routing'
import { endOf } from '@/lib/routing/split'
import { Breath } from '@/lib/tools/breath'
import { sha256 } from '@/lib/tools/hash'
import { hashPassword } from '@/lib/tools/password'
import { manageToken } from './access'
import type { LinkContext } from './context'
import type { Brought } from './import-schema'
import { noteSplitEnd } from './note-split-end'
import type { Permitted } from './permit'
import type { CreateLinkData } from './schemas'

/** A new link without its code. */
export interface Draft {
  row: Permitted<Omit<Link, 'code' | 'fullShortUrl'>>
  /** For who makes it without an account: to be shown once. */
  manageToken: string | null
  /** How its owner files it; null without an account. */
  filing: Filing | null
  /** The same as rows. */
  filed: Filed
}

/** What jobs leave of the links that their account may make in a minute: one in so many, for requests that cannot wait. */
const LEFT_TO_REQUESTS = 5

/**
 * Counts new links, whichever way they are made: against what their account may make in a minute, or else against what those
 * without an account may from one address. What this server makes by itself is not counted.
 * @returns how many of them there may be: one at least
 * @throws TerseError 'rate_limited'
 */
async function takeFromBudget({ limits, config }: LinkContext, { ownerId, origin }: Actor, wanted: number): Promise<number> {
  if ((ownerId === null && origin.address === null) || origin.isByItself) return wanted
  const [policy, key] = ownerId === null ? (['create', limitKey(origin.address ?? '')] as const) : (['links', ownerId] as const)
  const leave = ownerId !== null && origin.isJob ? Math.floor(config.LINKS_PER_MINUTE / LEFT_TO_REQUESTS) : 0
  if (wanted > 1) return limits.consumeUpTo(policy, key, wanted, leave)
  await limits.consume(policy, key, leave)
  return wanted
}

/** What a draft is made of. */
export interface Wanted {
  domain: DomainRow
  input: Permitted<WantedLink>
  /** Whose link it will be; who makes it, unless given. */
  ownerId?: string
}

/** What any way to create links can ask for. */
export type WantedLink = CreateLinkData & Brought

/** The row of a new link, but for its code. @throws TerseError 'rate_limited' for who has made too many */
export async function draftOf(ctx: LinkContext, actor: Actor, wanted: Wanted): Promise<Draft> {
  await takeFromBudget(ctx, actor, 1)
  return newDraft(ctx, wanted.ownerId ?? actor.ownerId, wanted, await labelsOf(ctx, actor.ownerId, [wanted]))
}

/** The tags and folders that are asked for. */
async function labelsOf(ctx: LinkContext, ownerId: string | null, wanted: readonly Wanted[]): Promise<KnownLabels> {
  const labels = wanted.flatMap(({ input }) => labelsIn(filingIn(input)))
  if (ownerId === null || labels.length === 0) return new KnownLabels()
  return ctx.rehearsed ? rehearseLabels(ctx, ownerId, labels, ctx.rehearsed.of(ownerId)) : ensureLabels(ctx, ownerId, labels)
}

/**
 * The same of many links, made in short stretches.
 * @returns those of the first links, as many as there may be: one at least. An error for one with a tag too many
 * @throws TerseError 'rate_limited'
 */
export async function draftsOf(ctx: LinkContext, actor: Actor, wanted: readonly Wanted[]): Promise<(Draft | TerseError)[]> {
  if (wanted.length === 0) return []
  const some = wanted.slice(0, await takeFromBudget(ctx, actor, wanted.length))
  const known = new Map<string | null, KnownLabels>()
  for (const [ownerId, own] of byOwner(some, (one) => one.ownerId ?? actor.ownerId)) {
    known.set(ownerId, await labelsOf(ctx, ownerId, own))
  }
  const breath = new Breath()
  const drafts: (Draft | TerseError)[] = []
  for (const one of some) {
    // One after another: a password takes 19 MiB and a thread for as long as it is hashed.
    const ownerId = one.ownerId ?? actor.ownerId
    drafts.push(await newDraft(ctx, ownerId, one, known.get(ownerId) ?? new KnownLabels()).catch(refusal))
    if (breath.isDue) await breath.pause()
  }
  return drafts
}

/** What belongs to each owner, in its order. */
export function byOwner<T>(all: readonly T[], ownerOf: (one: T) => string | null): Map<string | null, T[]> {
  const owned = new Map<string | null, T[]>()
  for (const one of all) {
    const own = owned.get(ownerOf(one))
    if (own) own.push(one)
    else owned.set(ownerOf(one), [one])
  }
  return owned
}

function refusal(error: unknown): TerseError {
  if (isTerseError(error) && error.code === 'validation_failed') return error
  throw error
}

async function newDraft(ctx: LinkContext, ownerId: string | null, { domain, input }: Wanted, known: KnownLabels): Promise<Draft> {
  const filing = filingIn(input)
  const filed = filedAs(filing, known)
  const id = nextId()
  const now = new Date()
  const token = ownerId === null ? manageToken(ctx.config.APP_SECRET, id) : null
  const row: Omit<Draft['row'], keyof Permitted<unknown>> = {
    id,
    domainId: domain.id,
    url: input.url,
    urlHash: sha256(input.url),
    ownerId,
    manageTokenHash: token === null ? null : sha256(token),
    title: input.title ?? '',
    redirectStatus: input.redirectStatus ?? 302,
    passwordHash: input.password ? await hashPassword(input.password) : (input.passwordHash ?? null),
    startsAt: input.startsAt ?? null,
    expiresAt: input.expiresAt ?? null,
    expiredUrl: input.expiredUrl ?? null,
    routing: input.routing ? JSON.stringify(input.routing) : null,
    maxClicks: input.maxClicks ?? null,
    // As other shorteners count: the limit is of all clicks that the link ever had.
    taken: Math.min(input.clicksBefore ?? 0, input.maxClicks ?? 0),
    state: input.enabled === false ? 'disabled' : 'active',
    banReason: '',
    stateBeforeBan: '',
    listed: input.listed ?? false,
    shared: false,
    clicks: 0n,
    clicksBefore: BigInt(input.clicksBefore ?? 0),
    createdAt: input.createdAt ?? now,
    updatedAt: now,
    version: id,
    historyHiddenAt: input.publicHistory === false ? now : null,
    preview: input.preview ? JSON.stringify(input.preview) : null,
  }
  if (!ctx.rehearsed) await noteDue(ctx, row as Draft['row'])
  return {
    row: row as Draft['row'],
    manageToken: token,
    filing: ownerId === null ? null : { ...NOT_FILED, ...filing },
    filed,
  }
}

/** Notes what has to be done about a new link later. */
async function noteDue(ctx: LinkContext, row: Draft['row']): Promise<void> {
  const end = row.routing === null ? null : endOf((JSON.parse(row.routing) as RoutingFields).split)
  if (end !== null) await ctx.db.write((client) => noteSplitEnd(client, row.id, row.routing))
  if (row.preview !== null) await ctx.db.write((client) => notePreview(client, row))
}

/** The row of a draft under one code, as the domain keeps it. */
export function withCode({ domains }: Pick<LinkContext, 'domains'>, { row }: Draft, host: string, code: string): Permitted<Link> {
  return { ...row, code: domains.codeOn(host, code), fullShortUrl: domains.fullOf(host, code) }
}

export async function domainOf(ctx: LinkContext, name: string | undefined): Promise<DomainRow> {
  if (name === undefined) return ctx.domains.default()
  const domain = ctx.domains.find(name)
  if (!domain) throw invalidField('domain', say('api.link.domain'))
  return domain
}
