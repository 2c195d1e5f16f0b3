import type { Locale } from '@/lib/i18n/languages'
import { asText, fromText, say } from '@/lib/i18n/message'
import { writer } from '@/lib/i18n/translate'
import type { Runtime } from '@/lib/runtime'

const CODES: Readonly<Record<string, string>> = {
  '/sign-in/email': 'INVALID_EMAIL_OR_PASSWORD',
  '/sign-in/username': 'INVALID_USERNAME_OR_PASSWORD',
}

/**
 * The one answer to a sign-in by password that fails, whatever it fails by: that a password is right for an address which
 * is not confirmed would tell who has just signed up with it that it had no account before. Its words hold for both.
 */
export function refusedSignIn(path: string, { mailer }: Pick<Runtime, 'mailer'>): Response {
  const message = asText(say(mailer.enabled ? 'api.auth.wrongOrUnconfirmed' : 'api.auth.wrong'))
  return Response.json({ code: CODES[path], message }, { status: 401 })
}

/** An answer of better-auth as it may be told. */
export async function toldOf(path: string, response: Response, ctx: Pick<Runtime, 'mailer'>): Promise<Response> {
  if (path === '/sign-up/email') return ctx.mailer.enabled && response.ok ? withoutHandle(response) : response
  if (!Object.hasOwn(CODES, path)) return response
  return response.status === 401 || (await isUnconfirmed(response)) ? refusedSignIn(path, ctx) : response
}

/**
 * The answer to a sign-up whose address must be confirmed first. It holds no handle: a made-up one could be told from a real one.
 */
async function withoutHandle(response: Response): Promise<Response> {
  const body = (await response.json()) as { user: Record<string, unknown> }
  const { username: _, ...user } = body.user
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  // Nor does the order tell who was made up.
  return Response.json({ ...body, user: Object.fromEntries(Object.entries(user).sort()) }, { status: response.status, headers })
}

/** A refusal whose message is one of ours (`asText`), written in the language of who asked. Others pass as they are. */
export async function inLanguage(response: Response, locale: Locale): Promise<Response> {
  if (response.status < 400 || !response.headers.get('content-type')?.startsWith('application/json')) return response
  const body = (await response.clone().json()) as { message?: unknown }
  const message = typeof body.message === 'string' ? fromText(body.message) : null
  if (message === null) return response
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  headers.set('Content-Language', locale.language)
  return Response.json({ ...body, message: writer(locale)(message) }, { status: response.status, headers })
}

async function isUnconfirmed(response: Response): Promise<boolean> {
  if (response.status !== 403) return false
  const said: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  return (said as { code?: unknown } | null)?.code === 'EMAIL_NOT_VERIFIED'
}
