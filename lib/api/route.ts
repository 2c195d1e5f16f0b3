import type { z } from 'zod'
import { invalidField, isTerseError, TerseError } from '@/lib/errors'
import { type Actor, anonymous } from '@/lib/links/context'
import { limitKey } from '@/lib/net/address'
import { UNKNOWN_CLIENT } from '@/lib/net/clients'
import type { Policy } from '@/lib/net/limits'
import { type Runtime, runtime } from '@/lib/runtime'
import { readBody, validate } from './body'
import { problem } from './problem'

type Params = Record<string, string>

interface Options<B extends z.ZodType, Q extends z.ZodType> {
  limit: Policy
  /** Schema of the JSON body; without one a body is not read. */
  body?: B
  /** Schema of the query parameters. */
  query?: Q
}

export interface Call<B, Q> {
  ctx: Runtime
  actor: Actor
  /** By which the caller is rate-limited: the address, or its /64. */
  client: string
  request: Request
  params: Params
  body: B
  query: Q
}

/**
 * How a route handler is written: rate limit, authentication, validation and the form of errors are here,
 * and the handler is one call into the domain.
 */
export function route<B extends z.ZodType = z.ZodUndefined, Q extends z.ZodType = z.ZodUndefined>(
  options: Options<B, Q>,
  handle: (call: Call<z.output<B>, z.output<Q>>) => Promise<Response>,
) {
  return async (request: Request, context: { params: Promise<Params> }): Promise<Response> => {
    const begun = performance.now()
    const ctx = await runtime()
    let response: Response
    try {
      const client = limitKey((ctx.scope.getStore()?.client ?? UNKNOWN_CLIENT).address)
      await ctx.limits.take(options.limit, client)
      const body = options.body ? await readBody(request, options.body) : undefined
      const query = options.query ? validate(options.query, parametersOf(request)) : undefined
      const call = { ctx, actor: actorOf(request), client, request, params: await decoded(context.params), body, query }
      response = await handle(call as Call<z.output<B>, z.output<Q>>)
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
}

/** JSON that nobody may keep. */
export function json(status: number, value: unknown, headers: Record<string, string> = {}): Response {
  return Response.json(value, { status, headers: { 'Cache-Control': 'no-store', ...headers } })
}

/** @throws TerseError 'validation_failed' for a parameter that is given twice */
function parametersOf(request: Request): Record<string, string> {
  const { searchParams } = new URL(request.url)
  for (const name of searchParams.keys()) {
    if (searchParams.getAll(name).length > 1) throw invalidField(name, 'Give this parameter once.')
  }
  return Object.fromEntries(searchParams)
}

/** @throws TerseError 'unauthorized' for an Authorization header that is no bearer token */
function actorOf(request: Request): Actor {
  const header = request.headers.get('authorization')
  if (header === null) return anonymous()
  const token = /^Bearer ([\w~+/.=-]{1,512})$/i.exec(header)?.[1]
  if (token === undefined) throw new TerseError('unauthorized', 'Use “Authorization: Bearer <token>”.')
  return anonymous(token)
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
