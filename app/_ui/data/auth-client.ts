import { passkeyClient } from '@better-auth/passkey/client'
import { createAuthClient } from 'better-auth/client'
import { twoFactorClient, usernameClient } from 'better-auth/client/plugins'
import { z } from 'zod'
import { INVITATION_HEADER } from '@/lib/accounts/names'
import { refusalOf } from '@/lib/forms/auth-words'
import { cancelled, type Failure, failed } from '@/lib/forms/failure'
import type { Login } from '@/lib/forms/read'
import { type SignedIn, signedInBy } from '@/lib/forms/signed-in'
import { say } from '@/lib/i18n/message'
import type { Result } from './http'
import { askForProof, PROOF_NEEDED } from './proof'
import { write } from './words'

/** What lives under /api/auth, by better-auth's own client: signing in and out, passwords, second factors, passkeys. */

const client = createAuthClient({
  basePath: '/api/auth',
  plugins: [usernameClient(), twoFactorClient(), passkeyClient()],
  fetchOptions: { timeout: 20_000, cache: 'no-store' },
})

/** Name of the provider of OIDC_ISSUER. */
const PROVIDER = 'oidc'

export async function signIn(login: Login): Promise<Result<SignedIn>> {
  const answer =
    'username' in login
      ? await ask(client.signIn.username({ ...login, callbackURL: '/verify' }))
      : await ask(client.signIn.email({ ...login, callbackURL: '/verify' }))
  return mapped(answer, signedInBy)
}

/** @param trust whether this browser is asked for no code for 30 days */
export function verifyTotp(code: string, trust = false): Promise<Result<unknown>> {
  return ask(client.twoFactor.verifyTotp({ code, trustDevice: trust }))
}

export function verifyBackupCode(code: string, trust: boolean): Promise<Result<unknown>> {
  return ask(client.twoFactor.verifyBackupCode({ code, trustDevice: trust }))
}

export function signInByPasskey(): Promise<Result<unknown>> {
  return ask(client.signIn.passkey())
}

/**
 * Offers passkeys where the browser completes the login field.
 * @returns null when none was chosen there before the browser asked by other means
 */
export async function offerPasskeys(): Promise<Result<unknown> | null> {
  const answer = await ask(client.signIn.passkey({ autoFill: true }))
  return !answer.ok && NOT_CHOSEN.has(answer.code) ? null : answer
}

const NOT_CHOSEN = new Set(['AUTH_CANCELLED', 'ERROR_CEREMONY_ABORTED'])

/** Leaves for the provider of the settings, which sends the browser back to `next`. */
export function signInByProvider(next: string, invitation: string | null): Promise<Result<unknown>> {
  return ask(
    client.signIn.social(
      { provider: PROVIDER, callbackURL: next, newUserCallbackURL: '/sign-up/done', errorCallbackURL: '/sign-in' },
      { headers: invitationHeaders(invitation) },
    ),
  )
}

/** Leaves for the provider, to have it sign in to this account too; the browser comes back to `next`. */
export function linkProvider(next: string): Promise<Result<unknown>> {
  return askProven(() => client.linkSocial({ provider: PROVIDER, callbackURL: next, errorCallbackURL: next }))
}

const ProviderAccount = z.object({ id: z.string(), providerId: z.string(), createdAt: z.coerce.date() })
export type ProviderAccount = z.infer<typeof ProviderAccount>

/** What the provider has been linked by: one, or none. */
export async function listProviderAccounts(signal: AbortSignal): Promise<Result<ProviderAccount[]>> {
  const answer = read(z.array(ProviderAccount), await ask(client.$fetch('/list-accounts', { method: 'GET', signal })))
  return mapped(answer, (accounts) => accounts.filter(({ providerId }) => providerId === PROVIDER))
}

export function unlinkProvider(accountId: string): Promise<Result<unknown>> {
  return askProven(() => client.$fetch('/unlink-account', { method: 'POST', body: { accountId } }))
}

interface NewAccount {
  name: string
  email: string
  password: string
  invitation: string | null
}

export async function signUp({ name, email, password, invitation }: NewAccount): Promise<Result<SignedIn>> {
  const headers = invitationHeaders(invitation)
  const answer = await ask(client.signUp.email({ name, email, password, callbackURL: '/verify' }, { headers }))
  return mapped(answer, signedInBy)
}

const invitationHeaders = (token: string | null): Record<string, string> => (token === null ? {} : { [INVITATION_HEADER]: token })

export function signOut(): Promise<Result<unknown>> {
  return ask(client.signOut())
}

/** Sends a link by which a new password is set, if there is such an account. */
export function askForReset(email: string): Promise<Result<unknown>> {
  return ask(client.requestPasswordReset({ email }))
}

export function resetPassword(token: string, newPassword: string): Promise<Result<unknown>> {
  return ask(client.resetPassword({ token, newPassword }))
}

export function sendVerification(email: string): Promise<Result<unknown>> {
  return ask(client.sendVerificationEmail({ email, callbackURL: '/verify' }))
}

/** All other sessions end. */
export async function changePassword(currentPassword: string, newPassword: string): Promise<Result<unknown>> {
  const answer = await ask(client.changePassword({ currentPassword, newPassword }))
  if (answer.ok || answer.code !== 'PASSWORD_COMMON') return answer
  // Of the two it is about the new one.
  const { message } = answer.failure
  return { ok: false, failure: { ...answer.failure, fields: { newPassword: message } } }
}

/** Where mails are sent, nothing changes before their links are opened. */
export function changeEmail(newEmail: string): Promise<Result<unknown>> {
  return askProven(() => client.changeEmail({ newEmail, callbackURL: `/verify?to=${encodeURIComponent(newEmail)}` }))
}

const Enrolment = z.object({ totpURI: z.string(), backupCodes: z.array(z.string()) })
export type Enrolment = z.infer<typeof Enrolment>

/** Begins; the second factor is asked for once `verifyTotp` has taken a first code. */
export async function enableTotp(password: string): Promise<Result<Enrolment>> {
  return read(Enrolment, await ask(client.twoFactor.enable({ password })))
}

export function disableTotp(password: string): Promise<Result<unknown>> {
  return ask(client.twoFactor.disable({ password }))
}

/** New backup codes; the old ones stop working. */
export async function newBackupCodes(password: string): Promise<Result<string[]>> {
  const answer = await ask(client.twoFactor.generateBackupCodes({ password }))
  return mapped(read(z.object({ backupCodes: z.array(z.string()) }), answer), ({ backupCodes }) => backupCodes)
}

const Passkey = z.object({ id: z.string(), name: z.string().nullish(), createdAt: z.coerce.date() })
export type Passkey = z.infer<typeof Passkey>

export async function listPasskeys(signal: AbortSignal): Promise<Result<Passkey[]>> {
  return read(z.array(Passkey), await ask(client.$fetch('/passkey/list-user-passkeys', { method: 'GET', signal })))
}

export async function addPasskey(name: string): Promise<Result<unknown>> {
  return askProven(() => client.passkey.addPasskey({ name }))
}

export function renamePasskey(id: string, name: string): Promise<Result<unknown>> {
  return askProven(() => client.$fetch('/passkey/update-passkey', { method: 'POST', body: { id, name } }))
}

export function removePasskey(id: string): Promise<Result<unknown>> {
  return askProven(() => client.$fetch('/passkey/delete-passkey', { method: 'POST', body: { id } }))
}

interface Answer {
  data: unknown
  error: { status: number; code?: string | undefined; message?: string | undefined } | null
}

/** A Result that also knows better-auth's name of what went wrong. */
type Told = { ok: true; value: unknown } | { ok: false; failure: Failure; code: string }

/** As `ask`, once more after its sender has shown who they are where the server asks for that. */
async function askProven(start: () => Promise<Answer>): Promise<Told> {
  const answer = await ask(start())
  if (answer.ok || answer.code !== PROOF_NEEDED) return answer
  const proof = await askForProof()
  if (proof === 'cancelled') return { ...cancelled, code: '' }
  return proof === 'shown' ? ask(start()) : answer
}

/** Never throws: whatever goes wrong comes back as a failure in plain words. */
async function ask(asking: Promise<Answer>): Promise<Told> {
  try {
    const { data, error } = await asking
    if (!error) return { ok: true, value: data }
    return { ok: false, failure: refusalOf(error, write), code: error.code ?? '' }
  } catch {
    return { ...failed('network', write(say('forms.offlineUnsaved'))), code: '' }
  }
}

function read<T>(schema: z.ZodType<T>, answer: Result<unknown>): Result<T> {
  if (!answer.ok) return answer
  const parsed = schema.safeParse(answer.value)
  if (parsed.success) return { ok: true, value: parsed.data }
  return failed('other', write(say('forms.unreadable')))
}

const mapped = <T, U>(answer: Result<T>, change: (value: T) => U): Result<U> =>
  answer.ok ? { ok: true, value: change(answer.value) } : answer
