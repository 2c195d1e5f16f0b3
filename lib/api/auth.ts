import { setTimeout as delay } from 'node:timers/promises'
import { confirmedCookie, cookieName, readCookies, writeCookies } from '@/lib/accounts/cookies'
import { rememberDevice } from '@/lib/accounts/device'
import { identify } from '@/lib/accounts/identify'
import { CLIENT_HEADER } from '@/lib/accounts/names'
import { ownPath } from '@/lib/accounts/next-path'
import { throughAuth } from '@/lib/accounts/outage'
import { requireRecent } from '@/lib/accounts/proof'
import { isTerseError, TerseError } from '@/lib/errors'
import { localeOf } from '@/lib/i18n/languages'
import { say } from '@/lib/i18n/message'
import { limitKey } from '@/lib/net/address'
import { UNKNOWN_CLIENT } from '@/lib/net/clients'
import { type Runtime, runtime } from '@/lib/runtime'
import { withTimeout } from '@/lib/tools/timeout'
import { type Asked, countAttempt, countsBy } from './auth-attempt'
import { AUTH_PATHS, type AuthPath } from './auth-paths'
import { inLanguage, refusedSignIn, toldOf } from './auth-refusal'
import { type Fields, readFields } from './auth-request'
import { requireSameOrigin } from './authorise'
import { openEndpoint } from './endpoint'
import { problemOf } from './problem'

const BASE = '/api/auth'

/** How long what sends mails takes at least, in ms: how quickly it is done would tell who has an account. */
const EVEN_TIME = 400

/** How long one request may take, in ms. A connection that hangs while a transaction is taken back would keep it for ever. */
const LONGEST = 20_000

/** Answers what better-auth answers: sign-up, sign-in, passwords, second factors, passkeys. */
export async function authResponse(request: Request): Promise<Response> {
  const ctx = await runtime()
  const path = new URL(request.url).pathname.slice(BASE.length)
  try {
    const { address } = ctx.scope.getStore()?.client ?? UNKNOWN_CLIENT
    const rule = ruleOf(ctx, path, request.method)
    if (rule.method !== 'GET') requireSameOrigin(request.headers, ctx.config.BASE_URL)
    const cookies = readCookies(request.headers.get('cookie'))
    const headers = headersOf(request, cookies, address)
    const fields = await readFields(request, rule)
    const asked: Asked = { rule, fields, headers, cookies, client: limitKey(address) }
    const giveBack = await countAttempt(ctx, asked)
    if (giveBack === null) return await inLanguage(await refusedUntried(ctx, path, asked), localeOf(request.headers))
    let counts = false
    try {
      const response = await toldOf(path, await answered(ctx, path, asked), ctx)
      counts = countsBy(rule, response)
      return await answerOf(ctx, path, asked, await inLanguage(response, localeOf(request.headers)))
    } finally {
      // Nor does what was thrown: too many wait, or an outage.
      if (!counts) await giveBack()
    }
  } catch (error) {
    if (!isTerseError(error)) ctx.log.error({ err: error, path }, 'a request about an account failed')
    return problemOf(ctx, request, error, { withMessage: true })
  }
}

/** What better-auth answers. @throws TerseError for what comes before it; 'unavailable' in an outage, or when too many wait */
async function answered(ctx: Runtime, path: string, { rule, fields, headers, client }: Asked): Promise<Response> {
  if (rule.proof === 'recent') await requireRecentSession(ctx, headers)
  // Its queries go by way of the gateway each (lib/accounts/auth-database.ts). What hashes waits here, where it holds no
  // connection.
  const auth = await ctx.auth()
  const askOnce = () =>
    throughAuth(() => withTimeout(auth.handler(requestOf(ctx, path, rule, fields, headers)), LONGEST, 'better-auth'))
  const ask = async () => {
    const first = await askOnce()
    return (await wasOvertaken(path, first)) ? askOnce() : first
  }
  const hashes = 'password' in fields || 'newPassword' in fields
  const [response] = await Promise.all([
    hashes ? ctx.hashTurns.run(client, ask) : ask(),
    rule.limit === 'mail' || (rule.limit === 'signUp' && ctx.mailer.enabled) ? delay(EVEN_TIME) : undefined,
  ])
  // better-auth has an answer of its own for what the database throws; the database itself tells of an outage.
  if (response.status >= 500) await ctx.db.rows('SELECT 1')
  return response
}

/**
 * Whether a sign-up found nobody by its address, and then could not make the account: another was faster. Asked again, it is
 * answered as with any known address; to be told apart, it would say that there was no account before.
 */
async function wasOvertaken(path: string, response: Response): Promise<boolean> {
  if (path !== '/sign-up/email' || response.status !== 422) return false
  return ((await response.clone().json()) as { code?: unknown }).code === 'FAILED_TO_CREATE_USER'
}

/** The answer to a wrong password, after the work that it costs: how quickly it comes would tell that nothing was tried. */
async function refusedUntried(ctx: Runtime, path: string, { client, fields }: Asked): Promise<Response> {
  const { password: hasher } = await (await ctx.auth()).$context
  await ctx.hashTurns.run(client, () => hasher.hash(String(fields.password)))
  const answer = refusedSignIn(path, ctx)
  answer.headers.set('Cache-Control', 'no-store')
  return answer
}

/** @throws TerseError 'not_found' for what is not for the public, 'method_not_allowed' */
function ruleOf({ config }: Runtime, path: string, method: string): AuthPath {
  const rule = Object.hasOwn(AUTH_PATHS, path) ? AUTH_PATHS[path] : undefined
  if (!rule || (rule.byProvider && !config.OIDC_ISSUER)) throw new TerseError('not_found', say('api.request.nothing'))
  if (rule.method !== method)
    throw new TerseError('method_not_allowed', say('api.request.method', { methods: rule.method }), { allow: rule.method })
  return rule
}

/** The headers that we and better-auth go by: cookies that have one meaning, no key, and the client's address from us. */
function headersOf(request: Request, cookies: ReadonlyMap<string, string>, address: string): Headers {
  const headers = new Headers(request.headers)
  headers.delete('authorization')
  headers.delete('content-length')
  headers.delete('cookie')
  // better-auth asks for an Origin of those who send any.
  if (cookies.size > 0) headers.set('cookie', writeCookies(cookies))
  headers.set(CLIENT_HEADER, address)
  return headers
}

/** What better-auth is asked: what we read, and nothing else. */
function requestOf(ctx: Runtime, path: string, { method }: AuthPath, fields: Fields, headers: Headers): Request {
  const url = new URL(ctx.config.BASE_URL + BASE + path)
  if (method === 'POST') {
    const asked = new Headers(headers)
    asked.set('content-type', 'application/json')
    return new Request(url, { method, headers: asked, body: JSON.stringify(fields) })
  }
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, String(value))
  return new Request(url, { method, headers })
}

/** @throws TerseError 'unauthorized', 'forbidden' or 'proof_needed' */
async function requireRecentSession(ctx: Runtime, headers: Headers): Promise<void> {
  const { session } = await identify(ctx, headers)
  if (!session) throw new TerseError('unauthorized', say('api.auth.signIn'))
  requireRecent(session)
}

async function answerOf(ctx: Runtime, path: string, { cookies }: Asked, response: Response): Promise<Response> {
  const answer = new Response(response.body, response)
  answer.headers.set('Cache-Control', 'no-store')
  const location = answer.headers.get('location')
  // A redirect leads to a page of ours, whatever it was made of. What is no redirect names its address in the body.
  if (location !== null && answer.status >= 300 && answer.status < 400) answer.headers.set('Location', pageOf(ctx, location))
  else answer.headers.delete('Location')
  if (path === '/verify-email' && location !== null && !/[?&]error=/.test(location)) {
    answer.headers.append('Set-Cookie', confirmedCookie(ctx.config))
  }
  if (path === '/get-session') return answer
  const account = await signedIn(ctx, answer)
  const device = cookies.get(cookieName(ctx.config, 'device'))
  if (account === null) return answer
  answer.headers.append('Set-Cookie', rememberDevice(ctx.config, device, account))
  return answer
}

/** The page of ours that a Location names, as a path; the sign-in page for any other. */
function pageOf({ config }: Runtime, location: string): string {
  const { origin } = new URL(config.BASE_URL)
  return ownPath(location.startsWith(`${origin}/`) ? location.slice(origin.length) : location) ?? '/sign-in'
}

/** Id of the account that an answer signs in; null for none. */
async function signedIn({ config, db }: Runtime, answer: Response): Promise<string | null> {
  const name = cookieName(config, 'session_token')
  const cookie = answer.headers.getSetCookie().find((text) => text.startsWith(`${name}=`))
  const token = cookie?.slice(name.length + 1).split(/[.;%]/, 1)[0]
  if (!token) return null
  const [row] = await db.rows<{ userId: string }>('SELECT userId FROM Session WHERE token = ?', token)
  return row?.userId ?? null
}

/** All under /api/auth, whose paths and limits are in AUTH_PATHS. */
export const getAuth = openEndpoint('GET /api/auth/*', authResponse)
export const postAuth = openEndpoint('POST /api/auth/*', authResponse)
