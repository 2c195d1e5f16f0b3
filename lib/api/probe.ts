import { PROBES } from '@/lib/health'
import { runtime } from '@/lib/runtime'

/** A probe's answer where Next.js serves it; server.ts answers probes by itself. */
export async function probeResponse(path: string): Promise<Response> {
  const probe = PROBES[path]
  if (!probe) return new Response(null, { status: 404 })
  const { status, contentType, body } = await probe(await runtime())
  return new Response(body, { status, headers: { 'Content-Type': contentType, 'Cache-Control': 'no-store' } })
}
