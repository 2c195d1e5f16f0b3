import type { Outbound, OutboundAnswer } from './outbound'

/** What may be asked of a page. */
export interface PageRequest {
  /** For all of it, in ms. */
  timeout: number
  maxBytes: number
  redirects: number
  accept: string
  /** How we introduce ourselves. */
  agent: string
  /** Called with each address before it is asked, those of redirects too. What it throws ends it. */
  guard: (url: URL) => void
  signal?: AbortSignal
}

/** Asks a page on the web, at the ports where pages are. @throws as `Outbound.fetch`, and what `guard` throws */
export function fetchPage(outbound: Pick<Outbound, 'fetch'>, url: URL, request: PageRequest): Promise<OutboundAnswer> {
  const { accept, agent, ...rest } = request
  const headers = { Accept: accept, 'Accept-Encoding': 'gzip, deflate, br', 'User-Agent': agent }
  return outbound.fetch(url, { ...rest, ports: 'web', headers })
}
