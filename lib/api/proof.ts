import { proofOf } from '@/lib/domains/proof'
import { normaliseHost } from '@/lib/net/host'
import { runtime } from '@/lib/runtime'

/** Proves a domain that leads here already: the one that the request names. */
export async function proofResponse(request: Request): Promise<Response> {
  const { config } = await runtime()
  const host = normaliseHost(request.headers.get('host') ?? '')
  return new Response(`${proofOf(config.APP_SECRET, host)}\n`, {
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  })
}
