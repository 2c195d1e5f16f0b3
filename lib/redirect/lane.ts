import type { IncomingMessage, ServerResponse } from 'node:http'
import type { CapturedClick } from '@/lib/clicks/click'
import { readVisit } from '@/lib/clicks/visit'
import type { Metrics } from '@/lib/metrics'
import type { Client } from '@/lib/net/clients'
import { type AnswerContext, answer } from './answer'
import { constantRedirect, type Decision } from './decide'
import type { Entry } from './memory'

const MAX_BODY = 4_096

export interface LaneContext extends AnswerContext {
  metrics: Metrics
  clientOf: (request: IncomingMessage) => Client
  onFault: (error: unknown) => void
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
      const redirect = entry && hotRedirect(entry, ctx)
      if (!redirect) return false
      const send = () => {
        response.writeHead(redirect.status, redirect.headers).end()
        hot.observe((performance.now() - begun) / 1000)
      }
      const click = method === 'GET' && redirect.clicked !== null ? clickOf(ctx, request, redirect.clicked) : null
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

function clickOf(ctx: LaneContext, request: IncomingMessage, linkId: string): CapturedClick | null {
  const visit = readVisit(request.rawHeaders, ctx.countryHeader)
  return ctx.visits.click(linkId, visit, ctx.clientOf(request), queryOf(request.url ?? ''), Date.now())
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
    response.writeHead(status, body === '' ? headers : [...headers, 'Content-Length', String(Buffer.byteLength(body))])
    response.end(request.method === 'HEAD' ? undefined : body)
    ctx.metrics.requests.labels({ outcome, tier }).observe((performance.now() - begun) / 1000)
  } catch (error) {
    ctx.onFault(error)
    if (!response.headersSent)
      response.writeHead(500, ['Content-Type', 'text/plain; charset=utf-8', 'Cache-Control', 'no-store', ...ctx.always])
    response.end('Something went wrong here. Try again.\n')
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
