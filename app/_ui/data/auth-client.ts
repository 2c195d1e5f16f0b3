import type { PublicKeyCredentialCreationOptionsJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'
import { INVITATION_HEADER } from '@/lib/accounts/names'
import { refusalOf } from '@/lib/forms/auth-words'
import { cancelled, type Failure, failed } from '@/lib/forms/failure'
import type { Login } from '@/lib/forms/read'
import { type SignedIn, signedInBy } from '@/lib/forms/signed-in'
import { say } from '@/lib/i18n/message'
import { mapped, type Result } from './http'
import { askForProof, PROOF_NEEDED } from './proof'
import { write } from './words'

/**
 * What lives under /api/auth: signing in, passwords, second factors, passkeys. better-auth's own client is 17 kB, and more than
 * this.
 */

/** Name of the provider of OIDC_ISSUER. */
const PROVIDER = 'oidc'
/** What better-auth calls a passkey that was not shown. */
const CANCELLED = 'AUTH_CANCELLED'

export async function signIn(login: Login): Promise<Result<SignedIn>> {
  const path = 'username' in login ? '/sign-in/username' : '/sign-in/email'
  return mapped(await post(path, { ...login, callbackURL: '/verify' }), signedInBy)
}

/** @param trust whether this browser is asked for no code for 30 days */
export function verifyTotp(code: string, trust = false): Promise<Result<unknown>> {
  return post('/two-factor/verify-totp', { code, trustDevice: trust })
}

export function verifyBackupCode(code: string, trust: boolean): Promise<Result<unknown>> {
  return post('/two-factor/verify-backup-code', { code, trustDevice: trust })
}

export function signInByPasskey(): Promise<Result<unknown>> {
  return showPasskey(false)
}

/**
 * Offers passkeys where the browser completes the login field.
 * @returns null when none was chosen there before the browser asked by other means
 */
export async function offerPasskeys(): Promise<Result<unknown> | null> {
  const answer = await showPasskey(true)
  return !answer.ok && NOT_CHOSEN.has(answer.code) ? null : answer
}

const NOT_CHOSEN = new Set([CANCELLED, 'ERROR_CEREMONY_ABORTED'])

async function showPasskey(useBrowserAutofill: boolean): Promise<Told> {
  const options = await get<PublicKeyCredentialRequestOptionsJSON>('/passkey/generate-authenticate-options')
  if (!options.ok) return options
  const shown = await ceremony(({ startAuthentication }) =>
    startAuthentication({ optionsJSON: options.value, useBrowserAutofill }),
  )
  return shown.ok ? post('/passkey/verify-authentication', { response: shown.value }) : shown
}

/** What the browser asks of who sits before it. */
async function ceremony<T>(ask: (webAuthn: typeof import('@simplewebauthn/browser')) => Promise<T>): Promise<Told<T>> {
  const webAuthn = await import('@simplewebauthn/browser').catch(() => null)
  if (!webAuthn) return unreached()
  try {
    return { ok: true, value: await ask(webAuthn) }
  } catch (error) {
    return refused({ status: 400, code: error instanceof webAuthn.WebAuthnError ? error.code : CANCELLED })
  }
}

/** Leaves for the provider of the settings, which sends the browser back to `next`. */
export async function signInByProvider(next: string, invitation: string | null): Promise<Result<unknown>> {
  const pages = { callbackURL: next, newUserCallbackURL: '/sign-up/done', errorCallbackURL: '/sign-in' }
  return leave(await post('/sign-in/social', { provider: PROVIDER, ...pages }, invitationHeaders(invitation)))
}

/** Leaves for the provider, to have it sign in to this account too; the browser comes back to `next`. */
export async function linkProvider(next: string): Promise<Result<unknown>> {
  const body = { provider: PROVIDER, callbackURL: next, errorCallbackURL: next }
  return leave(await proven(() => post('/link-social', body)))
}

/** Goes where the answer says. */
function leave(answer: Told): Told {
  const { url } = ((answer.ok && answer.value) || {}) as { url?: unknown }
  if (typeof url === 'string' && /^https?:/.test(url)) location.assign(url)
  return answer
}

export interface ProviderAccount {
  id: string
  providerId: string
  /** ISO. */
  createdAt: string
}

/** What the provider has been linked by: one, or none. */
export async function listProviderAccounts(signal: AbortSignal): Promise<Result<ProviderAccount[]>> {
  return mapped(await get<ProviderAccount[]>('/list-accounts', signal), (accounts) =>
    accounts.filter(({ providerId }) => providerId === PROVIDER),
  )
}

export function unlinkProvider(accountId: string): Promise<Result<unknown>> {
  return proven(() => post('/unlink-account', { accountId }))
}

interface NewAccount {
  name: string
  email: string
  password: string
  invitation: string | null
}

export async function signUp({ name, email, password, invitation }: NewAccount): Promise<Result<SignedIn>> {
  const body = { name, email, password, callbackURL: '/verify' }
  return mapped(await post('/sign-up/email', body, invitationHeaders(invitation)), signedInBy)
}

const invitationHeaders = (token: string | null): Record<string, string> => (token === null ? {} : { [INVITATION_HEADER]: token })

/** Sends a link by which a new password is set, if there is such an account. */
export function askForReset(email: string): Promise<Result<unknown>> {
  return post('/request-password-reset', { email })
}

export function resetPassword(token: string, newPassword: string): Promise<Result<unknown>> {
  return post('/reset-password', { token, newPassword })
}

export function sendVerification(email: string): Promise<Result<unknown>> {
  return post('/send-verification-email', { email, callbackURL: '/verify' })
}

/** All other sessions end. */
export async function changePassword(currentPassword: string, newPassword: string): Promise<Result<unknown>> {
  const answer = await post('/change-password', { currentPassword, newPassword })
  if (answer.ok || answer.code !== 'PASSWORD_COMMON') return answer
  // Of the two it is about the new one.
  const { message } = answer.failure
  return { ok: false, failure: { ...answer.failure, fields: { newPassword: message } } }
}

/** Where mails are sent, nothing changes before their links are opened. */
export function changeEmail(newEmail: string): Promise<Result<unknown>> {
  return proven(() => post('/change-email', { newEmail, callbackURL: `/verify?to=${encodeURIComponent(newEmail)}` }))
}

export interface Enrolment {
  totpURI: string
  backupCodes: string[]
}

/** Begins; the second factor is asked for once `verifyTotp` has taken a first code. */
export function enableTotp(password: string): Promise<Result<Enrolment>> {
  return post('/two-factor/enable', { password })
}

export function disableTotp(password: string): Promise<Result<unknown>> {
  return post('/two-factor/disable', { password })
}

/** New backup codes; the old ones stop working. */
export async function newBackupCodes(password: string): Promise<Result<string[]>> {
  const answer = await post<Enrolment>('/two-factor/generate-backup-codes', { password })
  return mapped(answer, ({ backupCodes }) => backupCodes)
}

export interface Passkey {
  id: string
  name?: string | null
  /** ISO. */
  createdAt: string
}

export function listPasskeys(signal: AbortSignal): Promise<Result<Passkey[]>> {
  return get('/passkey/list-user-passkeys', signal)
}

export async function addPasskey(name: string): Promise<Result<unknown>> {
  const query = new URLSearchParams({ name })
  const options = await proven(() => get<PublicKeyCredentialCreationOptionsJSON>(`/passkey/generate-register-options?${query}`))
  if (!options.ok) return options
  const made = await ceremony(({ startRegistration }) => startRegistration({ optionsJSON: options.value }))
  return made.ok ? proven(() => post('/passkey/verify-registration', { response: made.value, name })) : made
}

export function renamePasskey(id: string, name: string): Promise<Result<unknown>> {
  return proven(() => post('/passkey/update-passkey', { id, name }))
}

export function removePasskey(id: string): Promise<Result<unknown>> {
  return proven(() => post('/passkey/delete-passkey', { id }))
}

/** A Result that also knows better-auth's name of what went wrong. */
type Told<T = unknown> = { ok: true; value: T } | { ok: false; failure: Failure; code: string }

const TIMEOUT_MS = 20_000

const get = <T>(path: string, signal?: AbortSignal) => ask<T>(path, { method: 'GET' }, signal)

function post<T = unknown>(path: string, body: object, headers: Record<string, string> = {}): Promise<Told<T>> {
  return ask(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

/** Asks once more after its sender has shown who they are, where the server asks for that. */
async function proven<T>(start: () => Promise<Told<T>>): Promise<Told<T>> {
  const answer = await start()
  if (answer.ok || answer.code !== PROOF_NEEDED) return answer
  const proof = await askForProof()
  if (proof === 'cancelled') return { ...cancelled, code: '' }
  return proof === 'shown' ? start() : answer
}

/** Never throws: whatever goes wrong comes back as a failure in plain words. */
async function ask<T>(path: string, request: RequestInit, signal?: AbortSignal): Promise<Told<T>> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const response = await fetch(`/api/auth${path}`, {
      ...request,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      cache: 'no-store',
    })
    const json: unknown = await response.json().catch(() => undefined)
    if (response.ok) return { ok: true, value: json as T }
    return refused({ ...(json as object | undefined), status: response.status })
  } catch {
    return unreached()
  }
}

type Refusal = Parameters<typeof refusalOf>[0]

const refused = (refusal: Refusal) => ({ ok: false, failure: refusalOf(refusal, write), code: refusal.code ?? '' }) as const

const unreached = () => ({ ...failed('network', write(say('forms.offlineUnsaved'))), code: '' })
