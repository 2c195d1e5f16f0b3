import { isRedirect } from '../../../lib/tools/redirects.js'
import { parseUrl } from '../../../lib/tools/url.js'
import { TerseError } from './problem.js'

/** A server that leads on and on is wrong. */
const MOST = 5

/**
 * A fetch that goes nowhere else: a request has a key, and often a body with more secrets, which are for the server that was
 * named. What only reads is followed on the same server.
 * @throws TerseError 'redirected', which names where the server leads to
 */
export function stayingHere(fetch: (request: Request) => Promise<Response>) {
  return async (first: Request): Promise<Response> => {
    let request = new Request(first, { redirect: 'manual' })
    for (let followed = 0; ; followed++) {
      const answer = await fetch(request)
      // A browser hides where it would lead to.
      if (!isRedirect(answer.status) && answer.type !== 'opaqueredirect') return answer
      await answer.body?.cancel()
      const to = targetOf(answer, request)
      const isHere = to !== null && to.origin === new URL(request.url).origin
      if (!isHere || request.method !== 'GET' || followed >= MOST) throw redirected(request, to, answer.status)
      request = new Request(to, { headers: request.headers, redirect: 'manual', signal: request.signal })
    }
  }
}

function targetOf({ headers }: Response, { url }: Request): URL | null {
  const location = headers.get('location')
  return location === null ? null : parseUrl(location, url)
}

function redirected({ url }: Request, to: URL | null, status: number): TerseError {
  const { origin, pathname } = new URL(url)
  if (to === null) return new TerseError(`${origin} redirects to nowhere. Check its address.`, status, 'redirected')
  const message =
    to.origin === origin
      ? `${origin} redirects ${pathname} to ${to.pathname}. Check its address.`
      : `${origin} redirects to ${to.origin}. Nothing was sent there. If that’s your server, use its address.`
  return new TerseError(message, status, 'redirected')
}
