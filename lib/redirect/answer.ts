import type { Capture } from '@/lib/clicks/capture'
import type { ClickLimit } from '@/lib/clicks/limit'
import { readVisit, type Visits } from '@/lib/clicks/visit'
import { isReservedPath } from '@/lib/codes/reserved'
import type { Domains } from '@/lib/domains/domains'
import { isTerseError } from '@/lib/errors'
import type { Pasts } from '@/lib/history/past'
import { limitKey } from '@/lib/net/address'
import type { Client } from '@/lib/net/clients'
import type { Cards } from '@/lib/previews/cards'
import type { Visitor } from '@/lib/routing/routing'
import type { UpstreamAnswer } from '@/lib/upstream/upstream'
import type { Upstreams } from '@/lib/upstream/upstreams'
import {
  type Clicked,
  type Decision,
  decide,
  decideRefusal,
  isDecided,
  isLinkMethod,
  type Page,
  type RawHeaders,
  type RedirectPolicy,
  type RequestFacts,
} from './decide'
import { fromUpstream } from './from-upstream'
import type { Guesses } from './guesses'
import type { LinkPasswords } from './link-passwords'
import type { Found, Lookup } from './lookup'
import type { VisitorPages } from './pages'
import type { PasswordTries } from './password-tries'
import { type CodePath, codesAbove, parsePath } from './path'
import type { Pictures } from './pictures'
import type { LinkRecord } from './record'
import type { Visitors } from './visitors'

/** A request for a code, whatever it came by. */
export interface CodeRequest {
  method: string
  /** As it came, without the query. */
  path: string
  /** With its question mark; '' for none. */
  query: string
  /** As it came. */
  rawHeaders: readonly string[]
  host: string | undefined
  /** The Accept header. */
  accept: string
  /** The Accept-Language header. */
  language: string
  /** Who asks; asked for only when it matters. */
  client: () => Client
  /** The body as text; asked for only when a password is expected. '' when it is too long */
  body: () => Promise<string>
}

/** What to answer, fit for node:http and for a web Response. */
export interface Answer {
  status: number
  headers: RawHeaders
  /** Bytes where it is a picture. */
  body: string | Uint8Array
  /** For metrics: what it was, and where the link was found. */
  outcome: string
  tier: string
}

export interface AnswerContext {
  lookup: Lookup
  domains: Domains
  visits: Visits
  visitors: Visitors
  capture: Capture
  clickLimit: ClickLimit
  /** Name in lower case of a trusted proxy's header that holds the country. */
  countryHeader: string | undefined
  guesses: Pick<Guesses, 'ask'>
  passwordTries: PasswordTries
  passwords: LinkPasswords
  policy: RedirectPolicy
  /** Headers of every answer. */
  always: RawHeaders
  pages: VisitorPages
  pictures: Pictures
  pasts: Pasts
  cards: Cards
  threats: FindThreat
  upstreams: Upstreams
  baseUrl: string
}

/** Finds the destination of a link that is known to be on the list of threats; null: none is known to be. Never throws. */
export interface FindThreat {
  find: (link: Pick<LinkRecord, 'id' | 'version'>) => Promise<string | null>
}

/** What a request asks for. */
export interface Target {
  path: CodePath
  host: string
  /** The full short URL; '' where the path names no code. */
  full: string
  /** The full short URLs under which the link may be found: more than one only while the domain changes how it keeps codes. */
  names: readonly [string, ...string[]] | null
  /** What stands behind the code; '' for nothing. */
  extra: string
}

type Where = Found | typeof NOWHERE

interface Resolved {
  decision: Decision
  tier: Where['tier']
  target: Target
  picture?: Uint8Array
}

/** Answers a request for a code. Never throws for what a client or an outage can cause. */
export async function answer(ctx: AnswerContext, request: CodeRequest): Promise<Answer> {
  const host = ctx.domains.resolve(request.host)
  const asked = targetOf(ctx, host, pathOf(ctx, request, host))
  const { decision, tier, target, picture } = await resolveUnlessRefused(ctx, request, asked)
  const { status, outcome } = decision
  const page = decision.page && (await withMore(ctx, decision.page))
  const shown = page && presented(ctx, request, page, target)
  const headers = [...decision.headers, ...(shown?.headers ?? []), ...ctx.always]
  return { status, headers, body: picture ?? shown?.body ?? decision.text, outcome, tier }
}

/** What is asked for: a picture only of a domain that gives them out. */
function pathOf({ domains }: AnswerContext, request: CodeRequest, host: string): CodePath {
  const path = parsePath(request.path)
  if (path.kind !== 'code' || !path.picture || domains.hasQrCodes(host)) return path
  return literalOf(path) ?? { kind: 'not-found' }
}

/** The link that is called as the path is spelled; null where that is asked for already. */
const literalOf = (path: CodePath): CodePath | null =>
  path.kind === 'code' && path.literal !== undefined ? { kind: 'code', code: path.literal, preview: false } : null

/** What a path asks for. Its code takes the form in which the domain keeps codes. */
function targetOf({ domains }: AnswerContext, host: string, path: CodePath, extra = ''): Target {
  if (path.kind !== 'code') return { path, host, names: null, full: '', extra }
  const [code, names] = [domains.codeOn(host, path.code), domains.namesOf(host, path.code)]
  return { path: { ...path, code }, host, names, full: `${host}/${code}`, extra }
}

function presented(ctx: AnswerContext, request: CodeRequest, page: Page, target: Target) {
  if (page.name !== 'card') return ctx.pages.present(page, request, page.record && reportUrlOf(ctx, target))
  const { path, host } = target
  return ctx.pages.presentCard(page, request, path.kind === 'code' ? ctx.domains.shortUrl(host, path.code) : ctx.baseUrl)
}

/**
 * The preview page says where a link led before, what apps show of it, and whether a destination is a threat: to nobody who may
 * not see where it leads.
 */
async function withMore({ pasts, cards, threats }: AnswerContext, page: Page): Promise<Page> {
  if (page.name !== 'preview' || !page.record) return page
  const { id, version, url, routing, preview } = page.record
  const [past, card, threat] = await Promise.all([
    pasts.find({ id, version, url, routing: routing?.fields ?? null }),
    preview === null || page.ended ? null : cards.find(page.record),
    threats.find(page.record),
  ])
  return { ...page, past, card, threat }
}

/** Answers that say that there is a link which leads somewhere. */
const TELLING = new Set<Decision['outcome']>(['redirect', 'password', 'preview', 'picture', 'card'])

async function resolveUnlessRefused(ctx: AnswerContext, request: CodeRequest, target: Target): Promise<Resolved> {
  try {
    if (target.full === '') return await resolve(ctx, request, target)
    return await ctx.guesses.ask(
      () => limitKey(request.client().address),
      target.full,
      () => resolve(ctx, request, target),
      ({ decision }) => TELLING.has(decision.outcome),
    )
  } catch (error) {
    if (!isTerseError(error)) throw error
    return { decision: decideRefusal(error), tier: 'none', target }
  }
}

/** Finds the link, asks `decide`, finds out what it must know besides, and counts the click. */
async function resolve(ctx: AnswerContext, request: CodeRequest, asked: Target): Promise<Resolved> {
  const { method } = request
  const pageUrl = pageElsewhere(ctx, request, asked.host)
  const { found, target, upstream } = isLinkMethod(method)
    ? await findAnywhere(ctx, request, asked)
    : { found: NOWHERE, target: asked, upstream: null }
  const { path, host, full, extra } = target
  const wanted =
    path.kind === 'code' && path.picture ? { format: path.picture, url: ctx.domains.shortUrl(host, path.code) } : null
  const facts: RequestFacts = {
    ...{ method, path, extra, notFoundUrl: ctx.domains.notFoundUrl(host), userAgent: userAgentOf(request), upstream },
    ...(pageUrl !== null && { pageUrl }),
    ...(wanted && { picture: ctx.pictures.facts(wanted.url, wanted.format, request.rawHeaders) }),
  }
  let now = Date.now()
  let decision = decide(found.entry.record, facts, now, ctx.policy)
  while (!isDecided(decision)) {
    const { unknown, record } = decision
    if (unknown === 'password') {
      facts.password = (await unlocks(ctx, request, record, full)) ? 'right' : 'wrong'
      now = Date.now() // The link may have expired while the visitor waited.
    } else if (unknown === 'card') facts.card = await ctx.cards.find(record)
    else if (unknown === 'visitor') facts.visitor = await visitorOf(ctx, request, record)
    else if (unknown === 'left') facts.limit = (await ctx.clickLimit.isClickLeft(record.id)) ? 'left' : 'reached'
    else facts.limit = (await isClickLeft(ctx, request, record)) ? 'left' : 'reached' // A click that was taken is used.
    decision = decide(found.entry.record, facts, now, ctx.policy)
  }
  if (decision.clicked !== null) await count(ctx, request, decision.clicked)
  const { tier } = found
  if (!wanted || !decision.drawn || method === 'HEAD') return { decision, tier, target }
  const picture = await ctx.pictures.draw(wanted.url, wanted.format, limitKey(request.client().address))
  return { decision, tier, target, picture }
}

/** The link that the path names, if need be from the old shortener of the domain; and what that says, where there is none. */
async function findAnywhere(
  ctx: AnswerContext,
  request: CodeRequest,
  asked: Target,
): Promise<{ found: Where; target: Target; upstream: UpstreamAnswer | null }> {
  const here = await findLink(ctx, request, asked)
  const { record } = here.found.entry
  if (record !== null && !(record.kind === 'tombstone' && record.isUndone)) return { ...here, upstream: null }
  const upstream = await fromUpstream(ctx, request, asked)
  const isTaken = upstream?.kind === 'redirect' && upstream.isTaken
  return { ...(isTaken ? await findLink(ctx, request, asked) : here), upstream }
}

/** The page or endpoint that a path is at the host of BASE_URL, where a request came to another; null for none. */
function pageElsewhere({ domains, baseUrl }: AnswerContext, { path, query }: CodeRequest, host: string): string | null {
  return host !== domains.baseHost && isReservedPath(path.slice(1)) ? `${baseUrl}${path}${query}` : null
}

/** The link that the path names, or else the nearest one above it that takes what stands behind its code. */
async function findLink(ctx: AnswerContext, request: CodeRequest, asked: Target): Promise<{ found: Where; target: Target }> {
  const found = asked.names === null ? NOWHERE : await ctx.lookup.findNamed(asked.names)
  if (found.entry.record !== null) return { found, target: asked }
  const literal = literalOf(asked.path)
  if (literal) {
    const target = targetOf(ctx, asked.host, literal)
    const called = target.names === null ? NOWHERE : await ctx.lookup.findNamed(target.names)
    if (called.entry.record !== null) return { found: called, target }
  }
  const above = await Promise.all(
    codesAbove(request.path, (code) => ctx.domains.isSpoken(asked.host, code)).map(async ({ code, extra, preview }) => {
      const names = ctx.domains.namesOf(asked.host, code)
      return {
        target: targetOf(ctx, asked.host, { kind: 'code', code, preview }, extra),
        found: await ctx.lookup.findNamed(names),
      }
    }),
  )
  const takesPaths = ({ record }: Found['entry']) => record?.kind === 'link' && record.routing?.takesPaths
  return above.find((link) => takesPaths(link.found.entry)) ?? { found, target: asked }
}

const userAgentOf = ({ rawHeaders }: CodeRequest): string => readVisit(rawHeaders, undefined).userAgent ?? ''

const NOWHERE = { entry: { record: null }, tier: 'none' } as const

/** Whether the posted password is right. @throws TerseError 'rate_limited', 'unavailable' */
function unlocks(ctx: AnswerContext, request: CodeRequest, record: LinkRecord, full: string): Promise<boolean> {
  const client = limitKey(request.client().address)
  return ctx.passwordTries.try(client, full, async () =>
    ctx.passwords.isRight(record, new URLSearchParams(await request.body()).get('password') ?? '', client),
  )
}

/** What the rules of a link are told. */
async function visitorOf(ctx: AnswerContext, request: CodeRequest, { id, routing }: LinkRecord): Promise<Visitor | undefined> {
  if (routing === null) return undefined
  const { query } = request
  const client = request.client()
  const visit = readVisit(request.rawHeaders, ctx.countryHeader)
  const seen = ctx.visits.seen(id, visit, client, query, Date.now())
  const isClick = request.method !== 'HEAD' && ctx.visits.isCounted(visit)
  return await ctx.visitors.find(seen, { query, address: client.address, isClick }, routing)
}

/** Whether the limit leaves a click; a GET takes it. @throws TerseError 'unavailable' */
function isClickLeft({ clickLimit }: AnswerContext, { method }: CodeRequest, { id }: LinkRecord): Promise<boolean> {
  return method === 'HEAD' ? clickLimit.isClickLeft(id) : clickLimit.takeClick(id)
}

/** Counts a click. Resolves once the redirect may be answered; never throws. */
function count(ctx: AnswerContext, request: CodeRequest, clicked: Clicked): Promise<void> {
  if (request.method === 'HEAD') return Promise.resolve()
  const visit = readVisit(request.rawHeaders, ctx.countryHeader)
  const click = ctx.visits.click(clicked.linkId, visit, request.client(), request.query, Date.now())
  return click === null ? Promise.resolve() : new Promise((resolve) => ctx.capture.enqueue({ ...click, ...clicked }, resolve))
}

/** The page to report the link that was asked for, or null. */
function reportUrlOf({ domains, baseUrl }: AnswerContext, { path, host }: Target): string | null {
  if (path.kind !== 'code') return null
  return `${baseUrl}/report?${new URLSearchParams({ link: domains.shortUrl(host, path.code) })}`
}
