import { type Actor, NOWHERE } from '@/lib/actor'
import { destinationsOf, type LinkFacts } from '@/lib/blocklist/rules'
import { codeProblemOn } from '@/lib/codes/on-domain'
import type { Link } from '@/lib/db/generated/client'
import { invalidField, TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { filingIn } from '@/lib/labels/filing'
import type { Filing } from '@/lib/labels/schemas'
import { normaliseHost } from '@/lib/net/host'
import { refusalsOf } from '@/lib/routing/refusals'
import { readRouting } from '@/lib/routing/urls'
import { isOpened } from '@/lib/tools/schemes'
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
export interface Maker extends Pick<Actor, 'ownerId' | 'origin'>, Partial<Pick<Actor, 'manageToken'>> {
  /** An admin, or this server, acts on someone else’s link. */
  isModerator?: true
}

/** An action of this server itself that opens nothing: bans and the like. */
export const OURSELVES: Maker = { ownerId: null, origin: NOWHERE, isModerator: true }

type NewLink = LinkFacts & Times & Filable & { listed?: boolean | undefined; domain?: string | undefined }
type Filable = { [K in keyof Filing]?: Filing[K] | undefined }
type Times = { startsAt?: Date | null | undefined; expiresAt?: Date | null | undefined }

/** How a link comes here. */
export interface Coming {
  /** It was somewhere else before: it keeps the code that people know, and if it has expired it goes on to say so. */
  isTakenOver?: boolean
  /** The old shortener told its redirect, and no more: an import can complete it (./came-over.ts). */
  isFromUpstream?: boolean
}

/**
 * What a new link must fulfil, whichever way it is made, and an existing one that is handed out in its place.
 * @throws TerseError 'unauthorized', 'forbidden' or 'validation_failed'
 */
export function permitNew<T extends NewLink>(
  ctx: Context,
  maker: Maker,
  fields: T,
  { isTakenOver = false }: Coming = {},
): Permitted<T> {
  requireMaker(ctx, maker)
  requireDomain(ctx, maker, fields)
  requireCode(ctx, fields, isTakenOver)
  requireDestination(ctx, fields)
  requireDeciding(fields.routing, { isTakenOver })
  requireListable(maker, fields)
  requireFilable(maker, fields)
  requireSettledCodes(ctx, fields)
  requirePreviewable(maker, fields)
  requireOrder(fields)
  if (!isTakenOver && fields.expiresAt && fields.expiresAt.getTime() <= Date.now())
    throw invalidField('expiresAt', say('api.link.past'))
  return fields as Permitted<T>
}

/**
 * What an edit makes of a link that was paused for where it led: it goes on once it leads to nothing any more that is on the list
 * of threats. An edit that leaves its destinations alone opens nothing.
 */
export function resumed<T extends Link>({ blocklist }: Pick<Context, 'blocklist'>, before: Link, after: T): T {
  if (before.state !== 'paused' || after.state !== 'paused' || blocklist.isPaused(after)) return after
  const leads = ['url', 'expiredUrl', 'routing', 'preview'] as const
  return leads.some((name) => after[name] !== before[name]) ? { ...after, state: 'active' } : after
}

/**
 * A changed link. One that leads somewhere afterwards must fulfil all that a new one must; of one that does not, what was
 * changed: so a link can always be closed.
 * @throws TerseError 'conflict' for one that others were given too, 'forbidden' (also: it is banned) or 'validation_failed'
 */
export function permitChange(ctx: Context, maker: Maker, before: Link, after: Link): Permitted<Link> {
  requireUnbanned(ctx, maker, before, after)
  requireUnshared(maker, before, after)
  const facts = after.state === 'active' ? after : changedFacts(before, after)
  if (Object.keys(facts).length > 0) {
    ctx.blocklist.requireClient(maker.origin.address)
    requireDestination(ctx, facts)
  }
  if (after.routing !== before.routing) requireDeciding(after.routing, { before: before.routing })
  requireListable(after, after)
  if (after.preview !== before.preview) requirePreviewable(after, after)
  requireOrder(after)
  return after as Permitted<Link>
}

/** A deleted link that comes back. @throws TerseError 'unauthorized', 'forbidden' or 'validation_failed' */
export function permitRestored(ctx: Context, maker: Maker, link: Link): Permitted<Link> {
  requireMaker(ctx, maker)
  const back = { ...link, state: comeBack(ctx, link, link.state) }
  // One that leads nowhere comes back as it was; what opens it is asked.
  if (back.state === 'active') requireDestination(ctx, back)
  return back as Permitted<Link>
}

/** What a link is again that was banned or deleted: no longer paused if the list of threats ceased to name it meanwhile. */
const comeBack = ({ blocklist }: Pick<Context, 'blocklist'>, link: Link, state: string): string =>
  state === 'paused' && !blocklist.isPaused(link) ? 'active' : state

/** Refuses who may make no links at all: asked again of each link. @throws TerseError 'unauthorized' or 'forbidden' */
export function requireMaker(ctx: Context, { ownerId, origin }: Maker): void {
  if (ownerId === null && !ctx.config.ANONYMOUS_LINKS) {
    throw new TerseError('unauthorized', say('api.link.account'))
  }
  ctx.blocklist.requireClient(origin.address)
}

/** What lifting a ban makes of a link: what it was before, and off where a ban by an earlier release did not keep that. */
export const unbanned = (ctx: Pick<Context, 'blocklist'>, link: Link) => ({
  state: comeBack(ctx, link, link.stateBeforeBan || 'disabled'),
  banReason: '',
  stateBeforeBan: '',
})

/** A banned link is changed by moderators alone, who give its ban another reason or lift it. */
function requireUnbanned(ctx: Context, maker: Maker, before: Link, after: Link): void {
  if (before.state !== 'banned') return
  const isLifted = Object.entries(unbanned(ctx, before)).every(([name, value]) => after[name as keyof Link] === value)
  if (maker.isModerator && (isLifted || after.state === 'banned')) return
  throw new TerseError('forbidden', say('api.link.banned'))
}

/** Other domains may bear someone's name. Those without an account are told of none: one that they guess is refused as any. */
function requireDomain({ domains }: Context, { ownerId }: Maker, { domain }: NewLink): void {
  if (ownerId !== null || domain === undefined || domains.find(domain)?.host === domains.defaultHost) return
  throw invalidField('domain', say('api.link.domain'))
}

/** Not every domain has room for every code. What can be no code at all, the schema refuses. */
function requireCode({ domains }: Context, { code, domain }: NewLink, isTakenOver: boolean): void {
  if (code === undefined) return
  const host = domain === undefined ? domains.defaultHost : normaliseHost(domain)
  const problem = codeProblemOn(code, domains.codeRules(host), isTakenOver)
  if (problem) throw invalidField('code', problem)
}

/** While a domain changes how it keeps codes, it is not known yet which are taken. */
function requireSettledCodes({ domains }: Context, { code, domain }: NewLink): void {
  if (code === undefined || domains.find(domain ?? domains.defaultHost)?.codeCase !== 'changing') return
  throw new TerseError('unavailable', say('api.link.codesChanging'), { retryAfter: 15 })
}

/** Refuses destinations, codes and titles that a rule blocks, and destinations that lead back to us. */
function requireDestination(ctx: Context, facts: LinkFacts): void {
  requireScheme(ctx, facts)
  requireForeign(ctx, facts)
  ctx.blocklist.require(facts)
}

function changedFacts(before: Link, after: Link): LinkFacts {
  const names = ['url', 'expiredUrl', 'code', 'title', 'routing', 'preview'] as const
  return Object.fromEntries(names.filter((name) => after[name] !== before[name]).map((name) => [name, after[name]]))
}

/** Refuses what no browser opens by itself, unless the operator lists its scheme. */
function requireScheme({ config }: Pick<Context, 'config'>, fields: LinkFacts): void {
  for (const { path, url } of destinationsOf(fields)) {
    if (isOpened(url, config.LINK_SCHEMES)) continue
    const schemes = config.LINK_SCHEMES.join(', ')
    throw invalidField(path, schemes ? say('api.link.schemes', { schemes }) : say('forms.destination.scheme'))
  }
}

/** A link to a link could go round for ever. */
function requireForeign(ctx: Pick<Context, 'domains'>, fields: LinkFacts): void {
  for (const { path, url } of destinationsOf(fields)) {
    if (ctx.domains.isOwn(url)) throw invalidField(path, say('api.link.ownAddress'))
  }
}

/**
 * Refuses rules that can never decide, and a split that would be over at once.
 * @param before what the link has: that is not refused. Time alone does that to rules
 * @throws TerseError 'validation_failed'
 */
export function requireDeciding(
  routing: LinkFacts['routing'],
  { before = null, isTakenOver = false }: { before?: LinkFacts['routing'] } & Coming,
): void {
  const fields = readRouting(routing)
  if (!fields) return
  const errors = refusalsOf(fields, { before: readRouting(before), isTakenOver, now: Date.now() })
  const [first] = errors
  if (!first) return
  const said = say('api.field', { path: first.path, problem: first.message })
  throw new TerseError('validation_failed', said, { errors })
}

/** Refuses a link that would end before it begins. */
function requireOrder(times: Times): void {
  if (times.startsAt && times.expiresAt && times.expiresAt <= times.startsAt) {
    throw invalidField('expiresAt', say('api.link.order'))
  }
}

/** Tags and the like are an account's. @throws TerseError 'validation_failed' for a link without one */
export function requireFilable({ ownerId }: Pick<Link, 'ownerId'>, fields: Filable): void {
  const [field] = Object.keys(filingIn(fields))
  if (field !== undefined && ownerId === null) throw invalidField(field, say('api.label.account'))
}

/**
 * What apps show of a link can be chosen, and fetched by us, for accounts alone: a card of someone else's brand is a lure, and
 * there must be an account that answers for it.
 */
function requirePreviewable({ ownerId }: Pick<Link, 'ownerId'>, { preview }: LinkFacts): void {
  if (preview != null && ownerId === null) throw invalidField('preview', say('api.link.preview'))
}

/** A public page lists the links of an account: a link without one can be on none. */
function requireListable({ ownerId }: Pick<Link, 'ownerId'>, fields: { listed?: boolean | undefined }): void {
  if (fields.listed && ownerId === null) throw invalidField('listed', say('api.link.listed'))
}
