import { type Actor, NOWHERE } from '@/lib/actor'
import type { LinkFacts } from '@/lib/blocklist/rules'
import type { Link } from '@/lib/db/generated/client'
import { invalidField, TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import type { LinkContext } from './context'
import { requireUnshared } from './shared'

/**
 * The one place where it is asked who may make links, and where they may lead. What writes a link takes a `Permitted` one,
 * and only the functions of this file make one: a new way to make, change or bring back links cannot go past it. (A copy of
 * a permitted link is permitted: change it first, then ask.)
 */

declare const PERMITTED: unique symbol
export type Permitted<T> = T & { readonly [PERMITTED]: true }

type Context = Pick<LinkContext, 'config' | 'domains' | 'blocklist'>

/** Who makes, changes or brings back a link. */
export interface Maker extends Pick<Actor, 'ownerId' | 'origin'> {
  /** An admin, or this server, acts on someone else’s link. */
  isModerator?: true
}

/** An action of this server itself that opens nothing: bans and the like. */
export const OURSELVES: Maker = { ownerId: null, origin: NOWHERE, isModerator: true }

type NewLink = LinkFacts & Times & { listed?: boolean | undefined; domain?: string | undefined }
type Times = { startsAt?: Date | null | undefined; expiresAt?: Date | null | undefined }

/**
 * What a new link must fulfil, whichever way it is made, and an existing one that is handed out in its place.
 * @throws TerseError 'unauthorized', 'forbidden' or 'validation_failed'
 */
export function permitNew<T extends NewLink>(ctx: Context, maker: Maker, fields: T): Permitted<T> {
  requireMaker(ctx, maker)
  requireDomain(ctx, maker, fields)
  requireDestination(ctx, fields)
  requireListable(maker, fields)
  requireOrder(fields)
  if (fields.expiresAt && fields.expiresAt.getTime() <= Date.now()) throw invalidField('expiresAt', say('api.link.past'))
  return fields as Permitted<T>
}

/**
 * A changed link. One that leads somewhere afterwards must fulfil all that a new one must; of one that does not, what was
 * changed: so a link can always be closed.
 * @throws TerseError 'conflict' for one that others were given too, 'forbidden' (also: it is banned) or 'validation_failed'
 */
export function permitChange(ctx: Context, maker: Maker, before: Link, after: Link): Permitted<Link> {
  requireUnbanned(maker, before, after)
  requireUnshared(maker, before, after)
  const facts = after.state === 'active' ? after : changedFacts(before, after)
  if (Object.keys(facts).length > 0) {
    ctx.blocklist.requireClient(maker.origin.address)
    requireDestination(ctx, facts)
  }
  requireListable(after, after)
  requireOrder(after)
  return after as Permitted<Link>
}

/** A deleted link that comes back. @throws TerseError 'unauthorized', 'forbidden' or 'validation_failed' */
export function permitRestored(ctx: Context, maker: Maker, link: Link): Permitted<Link> {
  requireMaker(ctx, maker)
  // One that leads nowhere comes back as it was; what opens it is asked.
  if (link.state === 'active') requireDestination(ctx, link)
  return link as Permitted<Link>
}

/** Refuses who may make no links at all: asked again of each link. @throws TerseError 'unauthorized' or 'forbidden' */
export function requireMaker(ctx: Context, { ownerId, origin }: Maker): void {
  if (ownerId === null && !ctx.config.ANONYMOUS_LINKS) {
    throw new TerseError('unauthorized', say('api.link.account'))
  }
  ctx.blocklist.requireClient(origin.address)
}

/** What lifting a ban makes of a link: what it was before, and off where a ban by an earlier release did not keep that. */
export const unbanned = ({ stateBeforeBan }: Link) => ({ state: stateBeforeBan || 'disabled', banReason: '', stateBeforeBan: '' })

/** A banned link is changed by moderators alone, who give its ban another reason or lift it. */
function requireUnbanned(maker: Maker, before: Link, after: Link): void {
  if (before.state !== 'banned') return
  const isLifted = Object.entries(unbanned(before)).every(([name, value]) => after[name as keyof Link] === value)
  if (maker.isModerator && (isLifted || after.state === 'banned')) return
  throw new TerseError('forbidden', say('api.link.banned'))
}

/** Other domains may bear someone's name. Those without an account are told of none: one that they guess is refused as any. */
function requireDomain({ domains }: Context, { ownerId }: Maker, { domain }: NewLink): void {
  if (ownerId !== null || domain === undefined || domains.find(domain)?.host === domains.defaultHost) return
  throw invalidField('domain', say('api.link.domain'))
}

/** Refuses destinations, codes and titles that a rule blocks, and destinations that lead back to us. */
function requireDestination(ctx: Context, facts: LinkFacts): void {
  requireForeign(ctx, facts)
  ctx.blocklist.require(facts)
}

function changedFacts(before: Link, after: Link): LinkFacts {
  const names = ['url', 'expiredUrl', 'code', 'title'] as const
  return Object.fromEntries(names.filter((name) => after[name] !== before[name]).map((name) => [name, after[name]]))
}

/** A link to a link could go round for ever. */
function requireForeign(ctx: Pick<Context, 'domains'>, fields: LinkFacts): void {
  for (const path of ['url', 'expiredUrl'] as const) {
    const href = fields[path]
    if (href && ctx.domains.isOwn(href)) {
      throw invalidField(path, say('api.link.ownAddress'))
    }
  }
}

/** Refuses a link that would end before it begins. */
function requireOrder(times: Times): void {
  if (times.startsAt && times.expiresAt && times.expiresAt <= times.startsAt) {
    throw invalidField('expiresAt', say('api.link.order'))
  }
}

/** A public page lists the links of an account: a link without one can be on none. */
function requireListable({ ownerId }: Pick<Link, 'ownerId'>, fields: { listed?: boolean | undefined }): void {
  if (fields.listed && ownerId === null) throw invalidField('listed', say('api.link.listed'))
}
