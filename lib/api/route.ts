import type { z } from 'zod'
import { identify, type SessionFacts } from '@/lib/accounts/identify'
import { requireRecent } from '@/lib/accounts/proof'
import { isTerseError, TerseError } from '@/lib/errors'
import type { Account, Actor } from '@/lib/links/context'
import { limitKey } from '@/lib/net/address'
import { UNKNOWN_CLIENT } from '@/lib/net/clients'
import type { EachPolicy } from '@/lib/net/limits'
import { type Runtime, runtime } from '@/lib/runtime'
import { validate } from '@/lib/tools/validate'
import { readBody } from './body'
import { problem } from './problem'
import { parametersOf } from './query'

type Params = Record<string, string>

/** Who may call a route. 'anyone' may still be refused by what the handler does: a link asks for its owner. */
export type Audience = 'anyone' | 'account' | 'admin'

/**
 * What an account has to show. `key`: an API key will do, and so does a session. `session`: a browser that is signed in.
 * `recent`: one whose owner proved lately who they are (lib/accounts/proof.ts); what decides who gets in, or gives
 * power over other accounts, asks for no less.
 */
export type Proof = 'key' | 'session' | 'recent'

interface Common<B extends z.ZodType, Q extends z.ZodType> {
  limit: EachPolicy
  /** Schema of the JSON body; without one a body is not read. */
  body?: B
  /** Schema of the query parameters. */
  query?: Q
}

/** What every route of an account states. */
type Options<B extends z.ZodType, Q extends z.ZodType, A extends Audience> = Common<B, Q> &
  (A extends 'anyone' ? { auth: A; proof?: undefined } : { auth: A; proof: Proof })

export interface Call<B, Q, A extends Audience = Audience> {
  ctx: Runtime
  actor: Actor
  /** The caller's account. */
  account: A extends 'anyone' ? Account | null : Account
  /** null for those without an account, and for API keys. */
  session: SessionFacts | null
  /** The caller's address. */
  address: string
  /** By which the caller is rate-limited: the address, or its /64. */
  client: string
  request: Request
  params: Params
  body: B
  query: Q
}

/** What an endpoint reads of a request; for tests that make such requests. */
export interface Schemas {
  body: z.ZodType | undefined
  query: z.ZodType | undefined
}

type Handler = (request: Request, context: { params: Promise<Params> }) => Promise<Response>

/**
 * How a route handler is written: rate limit, authentication, authorisation, validation and the form of errors are
 * here, and the handler is one call into the domain.
 */
export function route<A extends Audience, B extends z.ZodType = z.ZodUndefined, Q extends z.ZodType = z.ZodUndefined>(
  options: Options<B, Q, A>,
  handle: (call: Call<z.output<B>, z.output<Q>, A>) => Promise<Response>,
): Handler & { auth: Audience; proof: Proof; schemas: Schemas } {
  const proof: Proof = options.proof ?? 'key'
  const answer: Handler = async (request, context) => {
    const begun = performance.now()
    const ctx = await runtime()
    let response: Response
    try {
      const { address } = ctx.scope.getStore()?.client ?? UNKNOWN_CLIENT
      const client = limitKey(address)
      await ctx.limits.take(options.limit, client)
      const { actor: identified, session, cookies } = await identify(ctx, request.headers, true)
      const actor: Actor = { ...identified, origin: { address, isJob: false } }
      authorise(options.auth, proof, actor, session, request, ctx.config.BASE_URL)
      const body = options.body ? await readBody(request, options.body) : undefined
      const query = options.query ? validate(options.query, parametersOf(request)) : undefined
      const params = await decoded(context.params)
      const call = { ctx, actor, account: actor.account, session, address, client, request, params, body, query }
      response = await handle(call as Call<z.output<B>, z.output<Q>, A>)
      for (const cookie of cookies) response.headers.append('Set-Cookie', cookie)
    } catch (error) {
      if (!isTerseError(error)) ctx.log.error({ err: error, method: request.method }, 'an API request failed')
      response = problem(error)
    }
    const ms = performance.now() - begun
    ctx.metrics.api.observe({ method: request.method, status: response.status }, ms / 1000)
    ctx.log.info(
      { method: request.method, path: new URL(request.url).pathname, status: response.status, ms: Math.round(ms) },
      'api',
    )
    return response
  }
  return Object.assign(answer, { auth: options.auth, proof, schemas: { body: options.body, query: options.query } })
}

/** @throws TerseError 'unauthorized', 'forbidden' or 'proof_needed' */
function authorise(
  auth: Audience,
  proof: Proof,
  actor: Actor,
  session: SessionFacts | null,
  request: Request,
  baseUrl: string,
): void {
  const reads = request.method === 'GET' || request.method === 'HEAD'
  if (!reads && session !== null) requireSameOrigin(request.headers, baseUrl)
  if (!reads && actor.scope === 'read') throw new TerseError('forbidden', 'This API key may only read.')
  if (auth === 'anyone') return
  if (actor.account === null)
    throw new TerseError('unauthorized', 'Sign in, or send an API key as “Authorization: Bearer <key>”.')
  if (auth === 'admin' && actor.account.role !== 'admin') throw new TerseError('forbidden', 'This is for admins.')
  if (proof === 'key') return
  if (session === null) throw new TerseError('forbidden', 'An API key may not do this. Sign in with a browser.')
  if (proof === 'recent') requireRecent(session)
}

/**
 * Refuses what another site makes a browser send with its cookies. SameSite=Lax keeps most of it back; this is for
 * browsers and requests that it does not cover.
 * @throws TerseError 'forbidden'
 */
export function requireSameOrigin(headers: Headers, baseUrl: string): void {
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  const same = origin === null ? site === null || site === 'same-origin' || site === 'none' : origin === new URL(baseUrl).origin
  if (!same) throw new TerseError('forbidden', `This request came from another site than ${baseUrl}.`)
}

/** JSON that nobody may keep. */
export function json(status: number, value: unknown, headers: Record<string, string> = {}): Response {
  return Response.json(value, { status, headers: { 'Cache-Control': 'no-store', ...headers } })
}

/** Path parameters, percent-decoded; none where the path has none. */
async function decoded(params: Promise<Params | undefined>): Promise<Params> {
  const given = (await params) ?? {}
  try {
    return Object.fromEntries(Object.entries(given).map(([key, value]) => [key, decodeURIComponent(value)]))
  } catch {
    throw new TerseError('bad_request', 'The path holds a “%” that cannot be decoded.')
  }
}
