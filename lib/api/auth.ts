import { CLIENT_HEADER, isClosedAuthPath } from '@/lib/accounts/auth'
import { isTerseError, TerseError } from '@/lib/errors'
import { limitKey } from '@/lib/net/address'
import { UNKNOWN_CLIENT } from '@/lib/net/clients'
import type { Limits, Policy } from '@/lib/net/limits'
import { runtime } from '@/lib/runtime'
import { problem } from './problem'
import { requireSameOrigin } from './route'

const BASE = '/api/auth'

/** The limit of each path under /api/auth; what begins with none of these has the limit `account`. */
const LIMITS: [prefix: string, policy: Policy][] = [
  ['/sign-in/', 'signIn'],
  ['/two-factor/verify', 'signIn'],
  ['/passkey/verify-authentication', 'signIn'],
  ['/sign-up/', 'signUp'],
  ['/request-password-reset', 'mail'],
  ['/send-verification-email', 'mail'],
  ['/change-email', 'mail'],
  ['/reset-password', 'signIn'],
]

/** Answers what better-auth answers: sign-up, sign-in, sessions, passwords, second factors, passkeys. */
export async function authResponse(request: Request): Promise<Response> {
  const ctx = await runtime()
  const path = new URL(request.url).pathname.slice(BASE.length)
  try {
    if (isClosedAuthPath(path)) throw new TerseError('not_found', 'There is nothing at this address.')
    const { address } = ctx.scope.getStore()?.client ?? UNKNOWN_CLIENT
    await ctx.limits.take(LIMITS.find(([prefix]) => path.startsWith(prefix))?.[1] ?? 'account', limitKey(address))
    if (request.method !== 'GET') requireSameOrigin(request.headers, ctx.config.BASE_URL)
    const headers = new Headers(request.headers)
    headers.set(CLIENT_HEADER, address)
    const body = request.method === 'GET' ? undefined : await request.text()
    if (path.startsWith('/sign-in/')) await limitAccount(ctx.limits, body)
    const url = ctx.config.BASE_URL + request.url.slice(new URL(request.url).origin.length)
    // By way of the gateway, so that an outage of MySQL is told at once.
    return await ctx.db.write(() => ctx.auth.handler(new Request(url, { method: request.method, headers, body: body ?? null })))
  } catch (error) {
    if (!isTerseError(error)) ctx.log.error({ err: error, path }, 'a request about an account failed')
    return problem(error)
  }
}

/** Many clients that try passwords on one account are slowed down together. */
async function limitAccount(limits: Limits, body: string | undefined): Promise<void> {
  let name: unknown
  try {
    const { email, username } = JSON.parse(body ?? '') as { email?: unknown; username?: unknown }
    name = email ?? username
  } catch {
    return // better-auth says what is wrong with it
  }
  if (typeof name === 'string') await limits.take('signInAccount', name.trim().toLowerCase().slice(0, 254))
}
