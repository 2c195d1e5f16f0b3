import { PROBES } from '@/lib/health'
import { UNKNOWN_CLIENT } from '@/lib/net/clients'
import { isInsider } from '@/lib/net/insider'
import { runtime } from '@/lib/runtime'

/** A probe's answer where Next.js serves it, which knows nothing of the connection; server.ts answers probes by itself. */
export async function probeResponse(path: string, { headers }: Request): Promise<Response> {
  const probe = PROBES[path]
  if (!probe) return new Response(null, { status: 404 })
  const ctx = await runtime()
  const asking = { socket: undefined, client: UNKNOWN_CLIENT, headers, httpVersion: '1.1' }
  const { status, contentType, body } = await probe(ctx, isInsider(asking, [], ctx.config.METRICS_TOKEN))
  return new Response(body, { status, headers: { 'Content-Type': contentType, 'Cache-Control': 'no-store' } })
}
