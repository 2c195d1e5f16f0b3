/** What Next.js answers for server.ts beside the table of endpoints, as web Responses: codes, probes, files of a domain. */

import { isForeignPath } from '@/lib/codes/foreign-paths'
import { AppFiles } from '@/lib/domains/app-files'
import { proofOf } from '@/lib/domains/proof'
import { UNKNOWN_CLIENT } from '@/lib/net/clients'
import { normaliseHost } from '@/lib/net/host'
import { isInsider } from '@/lib/net/insider'
import { PROBES } from '@/lib/probes'
import { answer } from '@/lib/redirect/answer'
import { runtime } from '@/lib/runtime'
import { readText } from './body'
import { answerUnnamed } from './router'

const MAX_BODY = 4_096

/** Answers a request for a code, or for the API of another shortener, with a web Response. */
export async function codeResponse(request: Request): Promise<Response> {
  const ctx = await runtime()
  const { pathname, search } = new URL(request.url)
  if (
    isForeignPath(pathname, ctx.config.FOREIGN_APIS) &&
    !ctx.domains.elsewhere(request.headers.get('host') ?? undefined, pathname)
  ) {
    return answerUnnamed(request)
  }
  const { status, headers, body } = await answer(ctx.answering, {
    method: request.method,
    path: pathname,
    query: search,
    rawHeaders: [...request.headers].flat(),
    host: request.headers.get('host') ?? undefined,
    accept: request.headers.get('accept') ?? '',
    language: request.headers.get('accept-language') ?? '',
    client: () => ctx.scope.getStore()?.client ?? UNKNOWN_CLIENT,
    body: () => readText(request, MAX_BODY).catch(() => ''),
  })
  const pairs: [string, string][] = []
  for (let i = 0; i < headers.length; i += 2) pairs.push([headers[i] ?? '', headers[i + 1] ?? ''])
  const isEmpty = request.method === 'HEAD' || body.length === 0
  return new Response(isEmpty ? null : (body as BodyInit), { status, headers: pairs })
}

/** A probe's answer where Next.js serves it, which knows nothing of the connection; server.ts answers probes by itself. */
export async function probeResponse(path: string, { headers }: Request): Promise<Response> {
  const probe = PROBES[path]
  if (!probe) return new Response(null, { status: 404 })
  const ctx = await runtime()
  const asking = { socket: undefined, client: UNKNOWN_CLIENT, headers, httpVersion: '1.1' }
  const { status, contentType, body } = await probe(ctx, isInsider(asking, [], ctx.config.METRICS_TOKEN))
  return new Response(body, { status, headers: { 'Content-Type': contentType, 'Cache-Control': 'no-store' } })
}

/** Proves a domain that leads here already: the one that the request names. */
export async function proofResponse(request: Request): Promise<Response> {
  const { config } = await runtime()
  const host = normaliseHost(request.headers.get('host') ?? '')
  return new Response(`${proofOf(config.APP_SECRET, host)}\n`, {
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  })
}

/** The file by which a domain names the apps that open its links; server.ts answers these by itself. */
export async function appFileResponse(request: Request): Promise<Response> {
  const { appFiles } = await runtime()
  const name = AppFiles.named(new URL(request.url).pathname)
  if (name === null) return new Response(null, { status: 404 })
  const { status, headers, body } = await appFiles.answer(request.method, request.headers.get('host') ?? undefined, name)
  return new Response(request.method === 'HEAD' ? null : body, { status, headers })
}
