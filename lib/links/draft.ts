import type { Actor } from '@/lib/actor'
import type { Link } from '@/lib/db/generated/client'
import { nextId } from '@/lib/db/id'
import type { DomainRow } from '@/lib/domains/domains'
import { invalidField } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { limitKey } from '@/lib/net/address'
import { Breath } from '@/lib/tools/breath'
import { sha256 } from '@/lib/tools/hash'
import { hashPassword } from '@/lib/tools/password'
import { manageToken } from './access'
import type { LinkContext } from './context'
import type { Permitted } from './permit'
import type { CreateLinkData } from './schemas'

/** A new link without its code. */
export type Draft = Permitted<Omit<Link, 'code' | 'fullShortUrl'>> & { manageToken: string | null }

/** What jobs leave of the links that their account may make in a minute: one in so many, for requests that cannot wait. */
const LEFT_TO_REQUESTS = 5

/**
 * Counts new links, whichever way they are made: against what their account may make in a minute, or else against what those
 * without an account may from one address. What this server makes by itself is not counted.
 * @returns how many of them there may be: one at least
 * @throws TerseError 'rate_limited'
 */
async function takeFromBudget({ limits, config }: LinkContext, { ownerId, origin }: Actor, wanted: number): Promise<number> {
  if (ownerId === null && origin.address === null) return wanted
  const [policy, key] = ownerId === null ? (['create', limitKey(origin.address ?? '')] as const) : (['links', ownerId] as const)
  const leave = ownerId !== null && origin.isJob ? Math.floor(config.LINKS_PER_MINUTE / LEFT_TO_REQUESTS) : 0
  if (wanted > 1) return limits.consumeUpTo(policy, key, wanted, leave)
  await limits.consume(policy, key, leave)
  return wanted
}

/** What a draft is made of. */
export interface Wanted {
  domain: DomainRow
  input: Permitted<CreateLinkData>
}

/** The row of a new link, but for its code. @throws TerseError 'rate_limited' for who has made too many */
export async function draftOf(ctx: LinkContext, actor: Actor, wanted: Wanted): Promise<Draft> {
  await takeFromBudget(ctx, actor, 1)
  return newDraft(ctx, actor, wanted)
}

/**
 * The same of many links, made in short stretches.
 * @returns those of the first links, as many as there may be: one at least
 * @throws TerseError 'rate_limited'
 */
export async function draftsOf(ctx: LinkContext, actor: Actor, wanted: readonly Wanted[]): Promise<Draft[]> {
  if (wanted.length === 0) return []
  const some = wanted.slice(0, await takeFromBudget(ctx, actor, wanted.length))
  const breath = new Breath()
  const drafts: Draft[] = []
  for (const one of some) {
    // One after another: a password takes 19 MiB and a thread for as long as it is hashed.
    drafts.push(await newDraft(ctx, actor, one))
    if (breath.isDue) await breath.pause()
  }
  return drafts
}

async function newDraft(ctx: LinkContext, actor: Actor, { domain, input }: Wanted): Promise<Draft> {
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

/** The row of a draft under one code. */
export function withCode({ manageToken: _token, ...draft }: Draft, host: string, code: string): Permitted<Link> {
  return { ...draft, code, fullShortUrl: `${host}/${code}` }
}

export async function domainOf(ctx: LinkContext, name: string | undefined): Promise<DomainRow> {
  if (name === undefined) return ctx.domains.default()
  const domain = ctx.domains.find(name)
  if (!domain) throw invalidField('domain', say('api.link.domain'))
  return domain
}
