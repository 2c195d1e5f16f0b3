import { laneContext } from '@/lib/lane-context'
import { limitKey } from '@/lib/net/address'
import { answer } from '@/lib/redirect/answer'
import { runtime } from '@/lib/runtime'

const MAX_BODY = 4_096

/** Answers a request for a code with a web Response. */
export async function codeResponse(request: Request): Promise<Response> {
  const ctx = await runtime()
  const { status, headers, body } = await answer(laneContext(ctx), {
    method: request.method,
    path: new URL(request.url).pathname,
    host: request.headers.get('host') ?? undefined,
    accept: request.headers.get('accept') ?? '',
    client: () => limitKey(ctx.scope.getStore()?.client ?? 'unknown'),
    body: async () => {
      const text = await request.text()
      return text.length > MAX_BODY ? '' : text
    },
  })
  const pairs: [string, string][] = []
  for (let i = 0; i < headers.length; i += 2) pairs.push([headers[i] ?? '', headers[i + 1] ?? ''])
  return new Response(request.method === 'HEAD' || body === '' ? null : body, { status, headers: pairs })
}
