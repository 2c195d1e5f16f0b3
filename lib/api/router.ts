import { z } from 'zod'
import { foreignApiOf } from '@/lib/codes/foreign-paths'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { UNKNOWN_CLIENT } from '@/lib/net/clients'
import { REQUEST_ID, requestIdOf } from '@/lib/net/request-id'
import { runtime } from '@/lib/runtime'
import { AUTH_PATHS } from './auth-paths'
import type { Endpoint } from './endpoint'
import { ENDPOINTS } from './endpoints'
import { logged } from './logged'
import { problemOf } from './problem'

/** Where a path leads. */
interface Place {
  /** By the segment that follows; a parameter by `{}`, and any rest of the path by `*`, which no address spells otherwise. */
  next: Map<string, Place>
  endpoints: Map<string, Endpoint>
}

const METHODS = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'])

const root: Place = { next: new Map(), endpoints: new Map() }
for (const endpoint of ENDPOINTS) place(segmentsOf(endpoint.spec.path)).endpoints.set(endpoint.spec.method, endpoint)

/**
 * Answers any request to the API. server.ts and app/api both stand on this.
 * @param request its path begins with `/api/`, or is one of another shortener’s API that is turned on, and is percent-encoded
 */
export async function answerApi(request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url)
  const foreign = foreignApiOf(pathname)
  if (foreign && (await runtime()).config.FOREIGN_APIS.includes(foreign)) {
    const { answerForeign } = await import('./foreign/answer')
    return answerForeign(foreign, request)
  }
  const segments = segmentsOf(pathname)
  const places = [...find(root, segments, 0)]
  const named = searchParams.has('domain') && places.find((place) => takesDomain(place, request.method))
  const found = named || places[0] || null
  return logged(request, patternOf(found, pathname), () => answer(request, segments, found))
}

async function answer(request: Request, segments: string[], found: Place | null): Promise<Response> {
  const { method } = request
  if (!METHODS.has(method)) return new Response(null, { status: 400 })
  if (!found) {
    return await refusal(request, new TerseError('not_found', say('api.request.endpoint')))
  }
  const endpoint = found.endpoints.get(method === 'HEAD' ? 'GET' : method)
  if (endpoint) return endpoint(request, { params: Promise.resolve(paramsOf(endpoint, segments)) })
  const allow = [...found.endpoints.keys(), 'OPTIONS', ...(found.endpoints.has('GET') ? ['HEAD'] : [])].sort().join(', ')
  if (method === 'OPTIONS') return new Response(null, { status: 204, headers: { Allow: allow } })
  return await refusal(request, new TerseError('method_not_allowed', say('api.request.method', { methods: allow }), { allow }))
}

/** The same where nobody has named the request yet: without server.ts, of which no proxy is known. */
export async function answerUnnamed(request: Request): Promise<Response> {
  const { scope } = await runtime()
  const client = scope.getStore()?.client ?? UNKNOWN_CLIENT
  const requestId = requestIdOf({ viaProxy: false }, undefined)
  const response = await scope.run({ client, requestId }, () => answerApi(request))
  // Those of some answers cannot be changed.
  const headers = new Headers(response.headers)
  headers.set(REQUEST_ID, requestId)
  return new Response(response.body, { status: response.status, headers })
}

async function refusal(request: Request, error: TerseError): Promise<Response> {
  return problemOf(await runtime(), request, error)
}

function segmentsOf(path: string): string[] {
  return path.slice('/api/'.length).split('/')
}

/** The route as the table has it, of the open ones those that are known by name; `none` where there is none. */
function patternOf(found: Place | null, pathname: string): string {
  const [endpoint] = found?.endpoints.values() ?? []
  const path = endpoint?.spec.path ?? 'none'
  return path === '/api/auth/*' && Object.hasOwn(AUTH_PATHS, pathname.slice('/api/auth'.length)) ? pathname : path
}

/** The place that a path of the table names, put there if there was none. */
function place(segments: string[]): Place {
  return segments.reduce((at, segment) => {
    const key = segment.startsWith('{') ? '{}' : segment
    const there = at.next.get(key) ?? { next: new Map(), endpoints: new Map() }
    at.next.set(key, there)
    return there
  }, root)
}

/**
 * The places that a request's path may lead to: by words first, so `links/bulk` is no code. Whoever names its domain means the
 * link that is called so: no endpoint whose word stands where a code does takes a `domain`, unless no link has its method.
 */
function* find(at: Place, segments: string[], depth: number): Generator<Place, void> {
  const segment = segments[depth]
  if (segment === undefined) {
    if (at.endpoints.size > 0) yield at
    return
  }
  for (const next of [at.next.get(segment), at.next.get('{}')]) if (next) yield* find(next, segments, depth + 1)
  const rest = at.next.get('*')
  if (rest) yield rest
}

/** Whether what stands there for a method can be told a `domain`. */
function takesDomain({ endpoints }: Place, method: string): boolean {
  const query = endpoints.get(method === 'HEAD' ? 'GET' : method)?.spec.query
  return query instanceof z.ZodObject && 'domain' in query.shape
}

function paramsOf({ spec }: Endpoint, segments: string[]): Record<string, string> {
  const names = segmentsOf(spec.path)
  return Object.fromEntries(names.flatMap((name, i) => (name.startsWith('{') ? [[name.slice(1, -1), segments[i] ?? '']] : [])))
}
