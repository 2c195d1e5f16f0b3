import { TerseError } from '@/lib/errors'
import { localeOf } from '@/lib/i18n/languages'
import { say } from '@/lib/i18n/message'
import type { Endpoint } from './endpoint'
import { ENDPOINTS } from './endpoints'
import { problem } from './problem'

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
 * @param request its path begins with `/api/`, and is percent-encoded
 */
export async function answerApi(request: Request): Promise<Response> {
  const { method } = request
  if (!METHODS.has(method)) return new Response(null, { status: 400 })
  const segments = segmentsOf(new URL(request.url).pathname)
  const found = find(root, segments, 0)
  if (!found) {
    return problem(new TerseError('not_found', say('api.request.endpoint')), localeOf(request.headers))
  }
  const endpoint = found.endpoints.get(method === 'HEAD' ? 'GET' : method)
  if (endpoint) return endpoint(request, { params: Promise.resolve(paramsOf(endpoint, segments)) })
  const allow = [...found.endpoints.keys(), 'OPTIONS', ...(found.endpoints.has('GET') ? ['HEAD'] : [])].sort().join(', ')
  if (method === 'OPTIONS') return new Response(null, { status: 204, headers: { Allow: allow } })
  return problem(
    new TerseError('method_not_allowed', say('api.request.method', { methods: allow }), { allow }),
    localeOf(request.headers),
  )
}

function segmentsOf(path: string): string[] {
  return path.slice('/api/'.length).split('/')
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

/** The place that a request's path leads to: by words where it can, so `links/bulk` is no code. */
function find(at: Place, segments: string[], depth: number): Place | null {
  const segment = segments[depth]
  if (segment === undefined) return at.endpoints.size > 0 ? at : null
  for (const next of [at.next.get(segment), at.next.get('{}')]) {
    const found = next && find(next, segments, depth + 1)
    if (found) return found
  }
  return at.next.get('*') ?? null
}

function paramsOf({ spec }: Endpoint, segments: string[]): Record<string, string> {
  const names = segmentsOf(spec.path)
  return Object.fromEntries(names.flatMap((name, i) => (name.startsWith('{') ? [[name.slice(1, -1), segments[i] ?? '']] : [])))
}
