import type { Capture } from '@/lib/clicks/capture'
import type { ClickLimit } from '@/lib/clicks/limit'
import { readVisit, type Visits } from '@/lib/clicks/visit'
import type { Domains } from '@/lib/domains/domains'
import { isTerseError } from '@/lib/errors'
import { limitKey } from '@/lib/net/address'
import type { Client } from '@/lib/net/clients'
import { verifyPassword } from '@/lib/tools/password'
import { type Decision, decide, expired, type Headers, isUnconditional, type RedirectPolicy } from './decide'
import type { Guesses } from './guesses'
import type { Entry, Found, Lookup } from './lookup'
import { type AnyPage, PAGE_POLICY, type PageFacts, renderPage, renderText } from './pages'
import type { PasswordTries } from './password-tries'
import { parsePath } from './path'
import type { LinkRecord } from './record'

/** A request for a code, whatever it came by. */
export interface CodeRequest {
  method: string
  /** As it came, without the query. */
  path: string
  /** With its question mark; '' for none. */
  query: string
  /** Names and values of all headers in turn, as they came. */
  rawHeaders: readonly string[]
  host: string | undefined
  /** The Accept header. */
  accept: string
  /** Who asks; asked for only when it matters. */
  client: () => Client
  /** The body as text; asked for only when a password is expected. @throws when it is too long */
  body: () => Promise<string>
}

/** What to answer, fit for node:http and for a web Response. */
export interface Answer {
  status: number
  headers: Headers
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
  always: Headers
  baseUrl: string
}

/** Answers a request for a code. Never throws for what a client or an outage can cause. */
export async function answer(ctx: AnswerContext, request: CodeRequest): Promise<Answer> {
  const answered = await answerOrExcuse(ctx, request)
  return { ...answered, headers: [...answered.headers, ...ctx.always] }
}

async function answerOrExcuse(ctx: AnswerContext, request: CodeRequest): Promise<Answer> {
  try {
    const path = parsePath(request.path)
    if (path.kind !== 'code') return await answerOrThrow(ctx, request)
    return await ctx.guesses.ask(
      () => limitKey(request.client().address),
      `${ctx.domains.resolve(request.host)}/${path.code}`,
      () => answerOrThrow(ctx, request),
      ({ outcome }) => TELLING.has(outcome),
    )
  } catch (error) {
    if (!isTerseError(error)) throw error
    const page = error.code === 'rate_limited' ? 'too-many' : 'unavailable'
    const retry = error.retryAfter === undefined ? [] : ['Retry-After', String(error.retryAfter)]
    const refusal = page === 'too-many' ? error.message : undefined
    return pageAnswer(ctx, request, page, error.status, ['Cache-Control', 'no-store', ...retry], null, 'none', { refusal })
  }
}

/** Answers that say that there is a link which leads somewhere. */
const TELLING = new Set(['redirect', 'password', 'preview'])

async function answerOrThrow(ctx: AnswerContext, request: CodeRequest): Promise<Answer> {
  if (request.method !== 'GET' && request.method !== 'HEAD' && request.method !== 'POST') return notAllowed('GET, HEAD')
  const path = parsePath(request.path)
  if (path.kind === 'malformed') return pageAnswer(ctx, request, 'malformed', 400, ['Cache-Control', 'no-store'], null, 'none')
  const full = path.kind === 'code' ? `${ctx.domains.resolve(request.host)}/${path.code}` : null
  const { entry, tier } = full === null ? NOTHING : await ctx.lookup.find(full)
  const { record } = entry
  const facts = { preview: path.kind === 'code' && path.preview, unlocked: false }
  let decision = decide(record, facts, Date.now(), ctx.policy)
  if (request.method === 'POST') {
    if (decision.kind !== 'page' || decision.page !== 'password' || !decision.record) return notAllowed('GET, HEAD')
    if (!(await unlocks(ctx, request, decision.record, full ?? ''))) {
      return pageAnswer(ctx, request, 'password', 403, decision.headers, decision.record, tier, { wrongPassword: true })
    }
    decision = decide(record, { ...facts, unlocked: true }, Date.now(), ctx.policy)
  }
  if (decision.kind === 'redirect' && decision.limited && record?.kind === 'link') {
    const { clickLimit } = ctx
    const allowed = request.method === 'HEAD' ? await clickLimit.left(record.id) : await clickLimit.take(record.id)
    if (!allowed) decision = expired(record, ctx.policy)
  }
  if (decision.kind === 'page' && decision.page === 'not-found') {
    const elsewhere = ctx.domains.find(ctx.domains.resolve(request.host))?.notFoundUrl
    if (elsewhere)
      return { status: 302, headers: ['Location', elsewhere, ...decision.headers], body: '', outcome: 'not-found', tier }
  }
  if (decision.kind === 'page')
    return pageAnswer(ctx, request, decision.page, decision.status, decision.headers, decision.record, tier)
  if (decision.counted && record?.kind === 'link') await count(ctx, request, record.id)
  return { status: decision.status, headers: decision.headers, body: '', outcome: 'redirect', tier }
}

/** Counts a click. Resolves once the redirect may be answered; never throws. */
function count(ctx: AnswerContext, request: CodeRequest, linkId: string): Promise<void> {
  if (request.method === 'HEAD') return Promise.resolve()
  const visit = readVisit(request.rawHeaders, ctx.countryHeader)
  const click = ctx.visits.click(linkId, visit, request.client(), request.query, Date.now())
  return click === null ? Promise.resolve() : new Promise((resolve) => ctx.capture.take(click, resolve))
}

const NOTHING: Found = { entry: { record: null, filledAt: 0 }, tier: 'memory' }

/** Whether the posted password is right. @throws TerseError 'rate_limited' */
function unlocks(ctx: AnswerContext, request: CodeRequest, { passwordHash }: LinkRecord, full: string): Promise<boolean> {
  return ctx.passwordTries.try(limitKey(request.client().address), full, async () => {
    const password = new URLSearchParams(await request.body()).get('password') ?? ''
    return passwordHash !== null && password.length <= 256 && (await verifyPassword(passwordHash, password))
  })
}

/** The redirect of an entry in memory that is the same for every request, or undefined. Synchronous: the hot path. */
export function constantRedirect(
  entry: Entry,
  { policy, always }: Pick<AnswerContext, 'policy' | 'always'>,
): (Decision & { kind: 'redirect' }) | undefined {
  if (entry.constant !== undefined) return entry.constant
  if (entry.record?.kind !== 'link' || !isUnconditional(entry.record)) return undefined
  const decision = decide(entry.record, { preview: false, unlocked: false }, 0, policy)
  if (decision.kind !== 'redirect') return undefined
  entry.constant = { ...decision, headers: [...decision.headers, ...always] }
  return entry.constant
}

function notAllowed(allow: string): Answer {
  const headers = ['Allow', allow, 'Cache-Control', 'no-store', 'Content-Type', 'text/plain; charset=utf-8']
  return { status: 405, headers, body: `Use ${allow}.\n`, outcome: 'method', tier: 'none' }
}

/** The page to report the link that was asked for, or null. */
function reportUrlOf({ domains, baseUrl }: AnswerContext, { path, host }: CodeRequest): string | null {
  const parsed = parsePath(path)
  if (parsed.kind !== 'code') return null
  const link = domains.shortUrl(domains.resolve(host), parsed.code)
  return `${baseUrl}/report?${new URLSearchParams({ link })}`
}

function pageAnswer(
  ctx: AnswerContext,
  request: CodeRequest,
  page: AnyPage,
  status: number,
  headers: Headers,
  record: LinkRecord | null,
  tier: string,
  said: Pick<PageFacts, 'wrongPassword' | 'refusal'> = {},
): Answer {
  const facts: PageFacts = { record, baseUrl: ctx.baseUrl, reportUrl: record && reportUrlOf(ctx, request), ...said }
  const html = request.accept.includes('text/html')
  return {
    status,
    headers: [
      ...headers,
      'Content-Type',
      html ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8',
      'Vary',
      'Accept',
      'X-Content-Type-Options',
      'nosniff',
      'Referrer-Policy',
      'no-referrer',
      ...(html ? ['Content-Security-Policy', PAGE_POLICY] : []),
    ],
    body: html ? renderPage(page, facts) : renderText(page, facts),
    outcome: page,
    tier,
  }
}
