import { failureOf, headOrGet, type Outbound, type OutboundFailure } from '@/lib/net/outbound'
import { stripEnd } from '@/lib/tools/strip'
import { meaningOf } from './meaning'
import { LOOP_HEADER, type Upstream, type UpstreamFailure, type UpstreamReply } from './upstream'

/** For one question, in ms. Visitors wait for it. */
export const PATIENCE = 4_000

interface Client {
  outbound: Outbound
  /** By which this deployment knows its own questions. */
  id: string
  agent: string
  isOwn: (href: string) => boolean
}

/**
 * Asks the old shortener for a code: by HEAD, and by GET where it refuses that. Follows nothing, reads no body, and sends nothing
 * of the visitor.
 * @param path of the short link, as it is written in a URL: `/spring-sale`
 * @param shortUrl the same as visitors have it
 */
export async function askUpstream(client: Client, upstream: Upstream, path: string, shortUrl: URL): Promise<UpstreamReply> {
  const url = new URL(stripEnd(upstream.url, '/') + path)
  if (client.isOwn(url.href)) return { kind: 'failed', why: 'loop' }
  const asked = { url, shortUrl, host: upstream.host ?? shortUrl.host }
  try {
    const sent = { Host: asked.host, [LOOP_HEADER]: client.id, 'User-Agent': client.agent }
    const request = { headers: sent, timeout: PATIENCE, maxBytes: 0, ports: 'open' } as const
    const { status, headers } = await headOrGet(client.outbound, url, request)
    return meaningOf({ status, location: headers.location }, asked, client.isOwn)
  } catch (error) {
    return { kind: 'failed', why: causeOf(failureOf(error)) }
  }
}

function causeOf(failure: OutboundFailure): UpstreamFailure {
  if (failure === 'credentials' || failure === 'port' || failure === 'scheme') return 'refused'
  if (failure === 'encoding' || failure === 'redirects' || failure === 'other') return 'connection'
  return failure
}
