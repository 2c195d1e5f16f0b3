import { setTimeout as delay } from 'node:timers/promises'
import { CLIENT_HEADER } from '@/lib/accounts/names'
import { isTerseError, TerseError } from '@/lib/errors'
import { limitKey } from '@/lib/net/address'
import { UNKNOWN_CLIENT } from '@/lib/net/clients'
import type { Limits, Policy } from '@/lib/net/limits'
import { runtime } from '@/lib/runtime'
import { readText } from './body'
import { problem } from './problem'
import { requireSameOrigin } from './route'

const BASE = '/api/auth'

/**
 * The paths under /api/auth that there are, each with its limit; one that ends with a slash stands for all below it.
 * What else better-auth can do is not for the public: handles are given, not chosen; keys, sessions, deletion and the
 * work of admins have routes of their own, which check scopes and write down who did what.
 */
const PATHS: Readonly<Record<string, Policy>> = {
  '/get-session': 'account',
  '/sign-up/email': 'signUp',
  '/sign-in/email': 'signIn',
  '/sign-in/username': 'signIn',
  '/sign-in/social': 'signIn',
  '/callback/oidc': 'signIn',
  '/sign-out': 'account',
  // Those that ask for the password count as attempts to sign in.
  '/two-factor/enable': 'signIn',
  '/two-factor/disable': 'signIn',
  '/two-factor/get-totp-uri': 'signIn',
  '/two-factor/generate-backup-codes': 'signIn',
  '/two-factor/verify-totp': 'signIn',
  '/two-factor/verify-backup-code': 'signIn',
  '/passkey/generate-register-options': 'account',
  '/passkey/verify-registration': 'account',
  '/passkey/generate-authenticate-options': 'account',
  '/passkey/verify-authentication': 'signIn',
  '/passkey/list-user-passkeys': 'account',
  '/passkey/update-passkey': 'account',
  '/passkey/delete-passkey': 'account',
  '/request-password-reset': 'mail',
  '/reset-password': 'signIn',
  '/reset-password/': 'signIn',
  '/send-verification-email': 'mail',
  '/verify-email': 'account',
  '/change-email': 'mail',
  '/change-password': 'signIn',
  '/list-accounts': 'account',
  '/link-social': 'account',
  '/unlink-account': 'account',
}

/** How long what sends mails takes at least, in ms: how quickly it is done would tell who has an account. */
const EVEN_TIME = 400

/** Answers what better-auth answers: sign-up, sign-in, passwords, second factors, passkeys. */
export async function authResponse(request: Request): Promise<Response> {
  const ctx = await runtime()
  const url = new URL(request.url)
  const path = url.pathname.slice(BASE.length)
  try {
    const policy = policyOf(path)
    const { address } = ctx.scope.getStore()?.client ?? UNKNOWN_CLIENT
    await ctx.limits.take(policy, limitKey(address))
    const reads = request.method === 'GET'
    if (!reads) requireSameOrigin(request.headers, ctx.config.BASE_URL)
    const body = reads ? null : await readText(request)
    if (policy !== 'account' && body) await limitTarget(ctx.limits, policy, body)
    const headers = new Headers(request.headers)
    headers.set(CLIENT_HEADER, address)
    const asked = new Request(ctx.config.BASE_URL + url.pathname + url.search, { method: request.method, headers, body })
    const [response] = await Promise.all([
      // By way of the gateway, so that an outage of MySQL is told at once.
      ctx.db.write(() => ctx.auth.handler(asked)),
      policy === 'mail' ? delay(EVEN_TIME) : undefined,
    ])
    // better-auth has an answer of its own for what the database throws; the database itself tells of an outage.
    if (response.status >= 500) await ctx.db.rows('SELECT 1')
    const answer = new Response(response.body, response)
    answer.headers.set('Cache-Control', 'no-store')
    return answer
  } catch (error) {
    if (!isTerseError(error)) ctx.log.error({ err: error, path }, 'a request about an account failed')
    return withMessage(problem(error))
  }
}

/** @throws TerseError 'not_found' for what is not for the public */
function policyOf(path: string): Policy {
  const policy = PATHS[path] ?? PATHS[path.slice(0, path.lastIndexOf('/') + 1)]
  if (!policy) throw new TerseError('not_found', 'There is nothing at this address.')
  return policy
}

/** Many clients that try passwords on one account, or have mails sent to one address, are slowed down together. */
async function limitTarget(limits: Limits, policy: Policy, body: string): Promise<void> {
  let target: unknown
  try {
    const { email, username, newEmail } = JSON.parse(body) as { email?: unknown; username?: unknown; newEmail?: unknown }
    target = email ?? username ?? newEmail
  } catch {
    return // better-auth says what is wrong with it
  }
  if (typeof target !== 'string') return
  const key = target.trim().toLowerCase().slice(0, 254)
  if (policy === 'signIn') await limits.take('signInAccount', key)
  if (policy === 'mail') await limits.take('mail', `to ${key}`)
}

/** The same problem with its text where better-auth's client looks for it. */
async function withMessage(refusal: Response): Promise<Response> {
  const body = (await refusal.json()) as { detail: string }
  return new Response(JSON.stringify({ ...body, message: body.detail }), refusal)
}
