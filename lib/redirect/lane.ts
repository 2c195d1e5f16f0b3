import type { IncomingMessage, ServerResponse } from 'node:http'
import type { CapturedClick } from '@/lib/clicks/click'
import { readVisit } from '@/lib/clicks/visit'
import type { Metrics } from '@/lib/metrics'
import type { Client } from '@/lib/net/clients'
import { REQUEST_ID } from '@/lib/net/request-id'
import { type AnswerContext, answer } from './answer'
import { constantRedirect, type Decision, decide, isDecided, isOpen } from './decide'
import type { Entry } from './memory'

const MAX_BODY = 4_096

export interface LaneContext extends AnswerContext {
  metrics: Metrics
  clientOf: (request: IncomingMessage) => Client
  /** @returns by which it is found in the log */
  onFault: (error: unknown, request: IncomingMessage) => string
}

export interface Lane {
  /** Answers at once when the link is in memory and leads the same way for everyone; false when not. */
  tryHot(request: IncomingMessage, response: ServerResponse): boolean
  /** Answers any request for a code. */
  handle(request: IncomingMessage, response: ServerResponse): void
}

/** The part of the server that answers redirects, ahead of Next.js. */
export function createLane(ctx: LaneContext): Lane {
  const hot = ctx.metrics.requests.labels({ outcome: 'redirect', tier: 'memory' })
  return {
    tryHot(request, response) {
      const { method, url } = request
      if ((method !== 'GET' && method !== 'HEAD') || url === undefined) return false
      const begun = performance.now()
      // A code in plain letters and digits is its own key; every other spelling takes the longer way.
      const entry = ctx.lookup.peek(ctx.domains.resolve(hostOf(request)) + pathOf(url))
      const plain = entry && hotRedirect(entry, ctx)
      const routed = plain || !entry ? undefined : routedRedirect(entry, ctx, request, method)
      const redirect = plain ?? routed?.redirect
      if (!redirect) return false
      const send = () => {
        response.writeHead(redirect.status, redirect.headers).end()
        hot.observe((performance.now() - begun) / 1000)
      }
      const click = routed ? routed.click : clickOf(ctx, request, redirect)
      if (click === null) send()
      else ctx.capture.enqueue(click, send)
      return true
    },
    handle(request, response) {
      void answerSlowly(ctx, request, response, pathOf(request.url ?? '/'), performance.now())
    },
  }
}

/** The redirect of an entry that is the same for every request, decided once. */
function hotRedirect(entry: Entry, { policy, always }: LaneContext): Decision | undefined {
  if (entry.constant !== undefined) return entry.constant
  const decision = constantRedirect(entry.record, policy)
  if (decision) entry.constant = { ...decision, headers: [...decision.headers, ...always] }
  return entry.constant
}

/** A redirect, and the click that the request is; null when it is none, or is not counted. */
interface RoutedRedirect {
  redirect: Decision
  click: CapturedClick | null
}

/** The redirect of a link that always leads somewhere, though not everyone to the same place; apps that want its card wait. */
function routedRedirect(
  { record }: Entry,
  ctx: LaneContext,
  request: IncomingMessage,
  method: string,
): RoutedRedirect | undefined {
  if (record?.kind !== 'link' || (record.routing === null && record.preview === null) || !isOpen(record)) return undefined
  const [query, client, now] = [queryOf(request.url ?? ''), ctx.clientOf(request), Date.now()]
  const visit = readVisit(request.rawHeaders, ctx.countryHeader)
  const seen = ctx.visits.seen(record.id, visit, client, query, now)
  const isCounted = method === 'GET' && ctx.visits.isCounted(visit)
  const asker = { query, address: client.address, isClick: isCounted }
  const visitor = record.routing ? ctx.visitors.peek(seen, asker, record.routing) : undefined
  if (record.routing !== null && visitor === undefined) return undefined
  const facts = { method, path: PLAIN, extra: '', notFoundUrl: null, userAgent: seen.userAgent, ...(visitor && { visitor }) }
  const decision = decide(record, facts, now, ctx.policy)
  // A page takes the longer way.
  if (!isDecided(decision) || decision.page) return undefined
  const redirect = { ...decision, headers: [...decision.headers, ...ctx.always] }
  return { redirect, click: isCounted && decision.clicked !== null ? { ...seen, ...decision.clicked } : null }
}

/** A path that names a code as it is and no preview: what `peek` finds anything by. */
const PLAIN = { kind: 'code', code: '', preview: false } as const

function clickOf(ctx: LaneContext, request: IncomingMessage, { clicked }: Decision): CapturedClick | null {
  if (request.method !== 'GET' || clicked === null) return null
  const visit = readVisit(request.rawHeaders, ctx.countryHeader)
  return ctx.visits.click(clicked.linkId, visit, ctx.clientOf(request), queryOf(request.url ?? ''), Date.now())
}

/** The Host header, as almost all spell it. */
function hostOf({ rawHeaders }: IncomingMessage): string | undefined {
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]
    if (name === 'Host' || name === 'host') return rawHeaders[i + 1]
  }
  return undefined
}

/** A header, without having node parse all others for it. @param name in lower case */
function headerOf({ rawHeaders }: IncomingMessage, name: string): string | undefined {
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const sent = rawHeaders[i] as string
    if (sent.length === name.length && sent.toLowerCase() === name) return rawHeaders[i + 1]
  }
  return undefined
}

async function answerSlowly(
  ctx: LaneContext,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  begun: number,
): Promise<void> {
  try {
    const { status, headers, body, outcome, tier } = await answer(ctx, {
      method: request.method ?? 'GET',
      path,
      query: queryOf(request.url ?? ''),
      rawHeaders: request.rawHeaders,
      host: headerOf(request, 'host'),
      accept: headerOf(request, 'accept') ?? '',
      language: headerOf(request, 'accept-language') ?? '',
      client: () => ctx.clientOf(request),
      body: () => readBody(request),
    })
    response.writeHead(status, body.length === 0 ? headers : [...headers, 'Content-Length', String(Buffer.byteLength(body))])
    response.end(request.method === 'HEAD' ? undefined : body)
    ctx.metrics.requests.labels({ outcome, tier }).observe((performance.now() - begun) / 1000)
  } catch (error) {
    const reference = ctx.onFault(error, request)
    const headers = ['Content-Type', 'text/plain; charset=utf-8', 'Cache-Control', 'no-store', REQUEST_ID, reference]
    if (!response.headersSent) response.writeHead(500, [...headers, ...ctx.always])
    response.end(`Something went wrong here. Try again. Reference: ${reference}\n`)
  }
}

function pathOf(url: string): string {
  const query = url.indexOf('?')
  return query === -1 ? url : url.slice(0, query)
}

/** With its question mark; '' for none. */
function queryOf(url: string): string {
  const query = url.indexOf('?')
  return query === -1 ? '' : url.slice(query)
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BODY) return '' // no password is that long
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
