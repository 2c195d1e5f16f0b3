import { type Actor, anonymous, type Identified } from '@/lib/actor'
import type { ForeignApi } from '@/lib/config'
import { isTerseError, TerseError } from '@/lib/errors'
import { localeOf } from '@/lib/i18n/languages'
import { say } from '@/lib/i18n/message'
import { writer } from '@/lib/i18n/translate'
import { limitKey } from '@/lib/net/address'
import { UNKNOWN_CLIENT } from '@/lib/net/clients'
import { type Runtime, runtime } from '@/lib/runtime'
import { once } from '@/lib/tools/once'
import { authorise } from '../authorise'
import { logged } from '../logged'
import { decoded } from '../path'
import { json, knownError } from '../problem'
import type { Asked, Dialect, ForeignCall, ForeignEndpoint } from './dialect'
import { readFields } from './fields'
import { ESTIMATED } from './pages'

/** Each is loaded by the first request for it: one that is turned off costs nothing. */
const DIALECTS: Readonly<Record<ForeignApi, () => Promise<Dialect>>> = {
  yourls: once(async () => (await import('./yourls/dialect')).yourls),
  kutt: once(async () => (await import('./kutt/dialect')).kutt),
  shlink: once(async () => (await import('./shlink/dialect')).shlink),
  dub: once(async () => (await import('./dub/dialect')).dub),
  bitly: once(async () => (await import('./bitly/dialect')).bitly),
}

/** The dialects, for the documentation and the tests. */
export const dialectOf = (name: ForeignApi): Promise<Dialect> => DIALECTS[name]()

/**
 * Answers a request to the API of another shortener: the same limits, keys, scopes and use cases as ours, in its own words.
 * Cookies are not looked at. So any page may call it that has a key, and no page can do so in the name of who visits it.
 */
export async function answerForeign(name: ForeignApi, request: Request): Promise<Response> {
  const dialect = await DIALECTS[name]()
  const { pathname, searchParams: query } = new URL(request.url)
  const fitting = dialect.endpoints.filter(({ pattern }) => pattern.test(pathname))
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const endpoint = fitting.find((one) => one.method === method)
  const path = (endpoint ?? fitting[0])?.path ?? `${name} none`
  const response = await logged(request, path, async () => {
    if (method === 'OPTIONS') return new Response(null, { status: 204, headers: { Allow: allowOf(fitting) } })
    return answer(dialect, endpoint, fitting, { request, query, fields: {}, params: {} })
  })
  const headers = new Headers(response.headers)
  headers.set('Access-Control-Allow-Origin', '*')
  if (headers.has(ESTIMATED[0])) headers.set('Access-Control-Expose-Headers', ESTIMATED[0])
  if (method === 'OPTIONS') {
    headers.set('Access-Control-Allow-Methods', allowOf(fitting))
    headers.set('Access-Control-Allow-Headers', ['Accept', 'Content-Type', ...dialect.keyHeaders].join(', '))
    headers.set('Access-Control-Max-Age', '3600')
  }
  return new Response(response.body, { status: response.status, headers })
}

const allowOf = (endpoints: readonly ForeignEndpoint[]) =>
  [...new Set(['OPTIONS', ...endpoints.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))])]
    .sort()
    .join(', ')

async function answer(
  dialect: Dialect,
  endpoint: ForeignEndpoint | undefined,
  fitting: readonly ForeignEndpoint[],
  given: Asked,
): Promise<Response> {
  const { request } = given
  const begun = performance.now()
  const ctx = await runtime()
  let asked = given
  let response: Response
  try {
    if (!endpoint) throw noEndpoint(fitting)
    const { address } = ctx.scope.getStore()?.client ?? UNKNOWN_CLIENT
    await ctx.limits.consume(endpoint.limit, limitKey(address))
    const [, ...values] = endpoint.pattern.exec(new URL(request.url).pathname) ?? []
    const params = decoded(Object.fromEntries(endpoint.names.map((name, i) => [name, values[i] ?? ''])))
    asked = { ...asked, params, fields: await readFields(request, endpoint.isList) }
    response = await call(ctx, dialect, endpoint, asked, address)
  } catch (error) {
    if (!isTerseError(error)) ctx.log.error({ err: error, method: request.method }, 'a request to a foreign API failed')
    const known = knownError(error, ctx.scope.getStore()?.requestId)
    response = dialect.refuse({ error: known, write: writer(localeOf(request.headers)), asked })
    if (known.retryAfter !== undefined) response.headers.set('Retry-After', String(known.retryAfter))
    if (known.allow !== undefined) response.headers.set('Allow', known.allow)
  }
  ctx.metrics.api.observe({ method: request.method, status: response.status }, (performance.now() - begun) / 1000)
  return response
}

async function call(ctx: Runtime, dialect: Dialect, endpoint: ForeignEndpoint, asked: Asked, address: string): Promise<Response> {
  const identified: Identified = (endpoint.needs !== 'nothing' && (await dialect.identify(ctx, asked))) || anonymous()
  const actor: Actor = { ...identified, origin: { address, isJob: false } }
  const { account } = actor
  const client = limitKey(address)
  const require = (changes: boolean) => {
    if (endpoint.needs === 'nothing') return
    authorise({ auth: endpoint.needs, proof: 'key' }, actor, null, asked.request, ctx.config.BASE_URL, changes)
  }
  require(endpoint.changes)
  const requireChange = async () => {
    await ctx.limits.consume('post', client)
    require(true)
  }
  const headers = new Headers()
  const given = { ...asked, ctx, actor, account, address, headers, requireChange }
  const result = await ctx.db.asker.run(actor.ownerId ?? client, () => endpoint.handle(given as ForeignCall))
  const response = result instanceof Response ? result : json(200, result)
  for (const [name, value] of headers) response.headers.set(name, value)
  return response
}

function noEndpoint(fitting: readonly ForeignEndpoint[]): TerseError {
  if (fitting.length === 0) return new TerseError('not_found', say('api.request.endpoint'))
  const allow = allowOf(fitting)
  return new TerseError('method_not_allowed', say('api.request.method', { methods: allow }), { allow })
}
