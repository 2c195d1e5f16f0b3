import { laneContext } from '@/lib/lane-context'
import { UNKNOWN_CLIENT } from '@/lib/net/clients'
import { answer } from '@/lib/redirect/answer'
import { runtime } from '@/lib/runtime'
import { readText } from './body'

const MAX_BODY = 4_096

/** Answers a request for a code with a web Response. */
export async function codeResponse(request: Request): Promise<Response> {
  const ctx = await runtime()
  const { pathname, search } = new URL(request.url)
  const { status, headers, body } = await answer(laneContext(ctx), {
    method: request.method,
    path: pathname,
    query: search,
    rawHeaders: [...request.headers].flat(),
    host: request.headers.get('host') ?? undefined,
    accept: request.headers.get('accept') ?? '',
    client: () => ctx.scope.getStore()?.client ?? UNKNOWN_CLIENT,
    body: () => readText(request, MAX_BODY).catch(() => ''),
  })
  const pairs: [string, string][] = []
  for (let i = 0; i < headers.length; i += 2) pairs.push([headers[i] ?? '', headers[i + 1] ?? ''])
  return new Response(request.method === 'HEAD' || body === '' ? null : body, { status, headers: pairs })
}
