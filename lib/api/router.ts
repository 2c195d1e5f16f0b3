import { TerseError } from '@/lib/errors'
import type { Endpoint } from './endpoint'
import { ENDPOINTS } from './endpoints'
import { problem } from './problem'

/** Where a path leads, one segment further on each. */
interface Place {
  /** Segments that are written as they are; they come before a parameter. */
  words: Map<string, Place>
  parameter: Place | null
  /** Has what ends in `*`. */
  rest: Place | null
  endpoints: Map<string, Endpoint>
}

const METHODS = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'])

const newPlace = (): Place => ({ words: new Map(), parameter: null, rest: null, endpoints: new Map() })
const root = newPlace()
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
    return problem(new TerseError('not_found', 'The API has nothing at this address; /docs lists what it has.'))
  }
  const endpoint = found.endpoints.get(method === 'HEAD' ? 'GET' : method)
  if (endpoint) return endpoint(request, { params: Promise.resolve(paramsOf(endpoint, segments)) })
  const allow = [...found.endpoints.keys(), 'OPTIONS', ...(found.endpoints.has('GET') ? ['HEAD'] : [])].sort().join(', ')
  if (method === 'OPTIONS') return new Response(null, { status: 204, headers: { Allow: allow } })
  return problem(new TerseError('method_not_allowed', `Use ${allow}.`, { allow }))
}

function segmentsOf(path: string): string[] {
  return path.slice('/api/'.length).split('/')
}

/** The place that a path of the table names, put there if there was none. */
function place(segments: string[]): Place {
  let at = root
  for (const segment of segments) {
    const next = segment === '*' ? at.rest : segment.startsWith('{') ? at.parameter : (at.words.get(segment) ?? null)
    const there = next ?? newPlace()
    if (segment === '*') at.rest = there
    else if (segment.startsWith('{')) at.parameter = there
    else at.words.set(segment, there)
    at = there
  }
  return at
}

/** The place that a request's path leads to: by words where it can, so `links/bulk` is no code. */
function find(at: Place, segments: string[], depth: number): Place | null {
  const segment = segments[depth]
  if (segment === undefined) return at.endpoints.size > 0 ? at : null
  const word = at.words.get(segment)
  const found = word && find(word, segments, depth + 1)
  if (found) return found
  return (at.parameter && find(at.parameter, segments, depth + 1)) ?? at.rest
}

function paramsOf({ spec }: Endpoint, segments: string[]): Record<string, string> {
  const names = segmentsOf(spec.path)
  return Object.fromEntries(names.flatMap((name, i) => (name.startsWith('{') ? [[name.slice(1, -1), segments[i] ?? '']] : [])))
}
