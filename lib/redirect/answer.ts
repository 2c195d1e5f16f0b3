import type { Capture } from '@/lib/clicks/capture'
import type { ClickLimit } from '@/lib/clicks/limit'
import { readVisit, type Visits } from '@/lib/clicks/visit'
import type { Domains } from '@/lib/domains/domains'
import { isTerseError } from '@/lib/errors'
import { limitKey } from '@/lib/net/address'
import type { Client } from '@/lib/net/clients'
import { verifyPassword } from '@/lib/tools/password'
import {
  type Decision,
  decide,
  decideRefusal,
  isDecided,
  isLinkMethod,
  type RawHeaders,
  type RedirectPolicy,
  type RequestFacts,
} from './decide'
import type { Guesses } from './guesses'
import type { Lookup, Tier } from './lookup'
import type { VisitorPages } from './pages'
import type { PasswordTries } from './password-tries'
import { type CodePath, parsePath } from './path'
import type { LinkRecord } from './record'

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
  body: string
  /** For metrics: what it was, and where the link was found. */
  outcome: string
  tier: string
}

export interface AnswerContext {
  lookup: Lookup
  domains: Domains
  visits: Visits
  capture: Capture
  clickLimit: ClickLimit
  /** Name in lower case of a trusted proxy's header that holds the country. */
  countryHeader: string | undefined
  guesses: Guesses
  passwordTries: PasswordTries
  policy: RedirectPolicy
  /** Headers of every answer. */
  always: RawHeaders
  pages: VisitorPages
  baseUrl: string
}

/** What a request asks for. */
interface Target {
  path: CodePath
  host: string
  /** The full short URL; '' where the path names no code. */
  full: string
}

interface Resolved {
  decision: Decision
  tier: Tier | 'none'
}

/** Answers a request for a code. Never throws for what a client or an outage can cause. */
export async function answer(ctx: AnswerContext, request: CodeRequest): Promise<Answer> {
  const path = parsePath(request.path)
  const host = ctx.domains.resolve(request.host)
  const target = { path, host, full: path.kind === 'code' ? `${host}/${path.code}` : '' }
  const { decision, tier } = await resolveUnlessRefused(ctx, request, target)
  const { status, page, outcome } = decision
  const shown = page && ctx.pages.present(page, request, page.record && reportUrlOf(ctx, target))
  const headers = [...decision.headers, ...(shown?.headers ?? []), ...ctx.always]
  return { status, headers, body: shown?.body ?? decision.text, outcome, tier }
}

/** Answers that say that there is a link which leads somewhere. */
const TELLING = new Set<Decision['outcome']>(['redirect', 'password', 'preview'])

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
    return { decision: decideRefusal(error), tier: 'none' }
  }
}

/** Finds the link, asks `decide`, finds out what it must know besides, and counts the click. */
async function resolve(ctx: AnswerContext, request: CodeRequest, { path, host, full }: Target): Promise<Resolved> {
  const { method } = request
  const found = full !== '' && isLinkMethod(method) ? await ctx.lookup.find(full) : NOWHERE
  const facts: RequestFacts = { method, path, notFoundUrl: ctx.domains.notFoundUrl(host) }
  let now = Date.now()
  let decision = decide(found.entry.record, facts, now, ctx.policy)
  while (!isDecided(decision)) {
    const { unknown, record } = decision
    if (unknown === 'password') {
      facts.password = (await unlocks(ctx, request, record, full)) ? 'right' : 'wrong'
      now = Date.now() // The link may have expired while the visitor waited.
    } else facts.limit = (await isClickLeft(ctx, request, record)) ? 'left' : 'reached' // A click that was taken is used.
    decision = decide(found.entry.record, facts, now, ctx.policy)
  }
  if (decision.clicked !== null) await count(ctx, request, decision.clicked)
  return { decision, tier: found.tier }
}

const NOWHERE = { entry: { record: null }, tier: 'none' } as const

/** Whether the posted password is right. @throws TerseError 'rate_limited' */
function unlocks(ctx: AnswerContext, request: CodeRequest, { passwordHash }: LinkRecord, full: string): Promise<boolean> {
  return ctx.passwordTries.try(limitKey(request.client().address), full, async () => {
    const password = new URLSearchParams(await request.body()).get('password') ?? ''
    return passwordHash !== null && password.length <= 256 && (await verifyPassword(passwordHash, password))
  })
}

/** Whether the limit leaves a click; a GET takes it. @throws TerseError 'unavailable' */
function isClickLeft({ clickLimit }: AnswerContext, { method }: CodeRequest, { id }: LinkRecord): Promise<boolean> {
  return method === 'HEAD' ? clickLimit.isClickLeft(id) : clickLimit.takeClick(id)
}

/** Counts a click. Resolves once the redirect may be answered; never throws. */
function count(ctx: AnswerContext, request: CodeRequest, linkId: string): Promise<void> {
  if (request.method === 'HEAD') return Promise.resolve()
  const visit = readVisit(request.rawHeaders, ctx.countryHeader)
  const click = ctx.visits.click(linkId, visit, request.client(), request.query, Date.now())
  return click === null ? Promise.resolve() : new Promise((resolve) => ctx.capture.enqueue(click, resolve))
}

/** The page to report the link that was asked for, or null. */
function reportUrlOf({ domains, baseUrl }: AnswerContext, { path, host }: Target): string | null {
  if (path.kind !== 'code') return null
  return `${baseUrl}/report?${new URLSearchParams({ link: domains.shortUrl(host, path.code) })}`
}
