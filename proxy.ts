import { randomBytes } from 'node:crypto'
import { type NextRequest, NextResponse } from 'next/server'

const development = process.env.NODE_ENV === 'development'

/**
 * Nothing from anywhere else, and no page inside another site's frame. Only scripts that carry this answer's nonce
 * run, and those that they load. Styles may be inline: dialogs and toasts place themselves that way.
 */
function policyFor(nonce: string): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ''}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    // Where scripts bring scripts along, a worker is not covered by them everywhere.
    "worker-src 'self'",
    `connect-src 'self'${development ? ' ws:' : ''}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Gives every page its Content-Security-Policy. Next.js reads the nonce from the request's copy of the header. */
export function proxy(request: NextRequest): NextResponse {
  // server.ts answers forms that are sent without scripts; where it does not run, there is nobody else to.
  if (request.method === 'POST')
    return new NextResponse('This form needs JavaScript. Go back, turn it on, and try again.\n', {
      status: 405,
      headers: { Allow: 'GET, HEAD' },
    })
  const policy = policyFor(randomBytes(16).toString('base64'))
  const headers = new Headers(request.headers)
  headers.set('Content-Security-Policy', policy)
  const response = NextResponse.next({ request: { headers } })
  response.headers.set('Content-Security-Policy', policy)
  return response
}

/** The pages, as lib/pages.ts has them. Short links, the API and files are none. */
export const config = {
  matcher: [
    '/',
    '/:page(@\\d{8}|@[A-Za-z][\\w-]{2,29}|admin|dashboard|docs|help|invite|login|logout|privacy|profile|report|reset|reset-password|setup|sign-in|sign-up|signin|signup|stats|status|terms|verify)/:rest*',
  ],
}
