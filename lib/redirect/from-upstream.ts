import { isbot } from 'isbot'
import { isPreviewFetcher } from '@/lib/clicks/enrich/previews'
import { readVisit } from '@/lib/clicks/visit'
import { limitKey } from '@/lib/net/address'
import { type Asker, LOOP_HEADER, type UpstreamAnswer } from '@/lib/upstream/upstream'
import type { AnswerContext, CodeRequest, Target } from './answer'
import { parsePath } from './path'

/**
 * What the old shortener of the domain says of a code that is not here, and never was: a deleted link leaves a record, which
 * counts unless it was here by an import that was undone. Null where nobody is asked: the domain has none, the path names no
 * code, or another deployment of Terse asks, for its own visitors.
 */
export async function fromUpstream(ctx: AnswerContext, request: CodeRequest, asked: Target): Promise<UpstreamAnswer | null> {
  const { domains, upstreams } = ctx
  const by = headerIn(request.rawHeaders, LOOP_HEADER)
  if (by !== undefined) return by === upstreams.id ? { kind: 'loop' } : null
  // One that was set a moment ago, by another process, is asked too.
  await domains.current()
  const domain = domains.upstreamOf(asked.host)
  // As it was typed: it may tell capitals apart where this domain does not.
  const path = domain && parsePath(request.path)
  if (!domain || path?.kind !== 'code' || request.method === 'POST') return null
  const { code } = path
  const answer = await upstreams.find({
    ...{ domain, upstream: domain.upstream, code },
    full: `${asked.host}/${code}`,
    shortUrl: new URL(domains.shortUrl(asked.host, code)),
    asker: askerOf(request),
    client: limitKey(request.client().address),
  })
  // This process may remember that there was none, until it hears of the new link.
  if (answer.kind === 'redirect' && answer.isTaken) for (const name of asked.names ?? []) ctx.lookup.invalidate(name)
  return answer
}

function askerOf(request: CodeRequest): Asker {
  if (request.method === 'HEAD') return 'head'
  const userAgent = readVisit(request.rawHeaders, undefined).userAgent ?? ''
  if (isPreviewFetcher(userAgent)) return 'preview'
  return isbot(userAgent) ? 'bot' : 'person'
}

function headerIn(raw: readonly string[], name: string): string | undefined {
  for (let i = 0; i + 1 < raw.length; i += 2) if (raw[i]?.toLowerCase() === name) return raw[i + 1]
  return undefined
}
