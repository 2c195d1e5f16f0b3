import type { EachPolicy } from '@/lib/net/limits'

/** What is tried at a path, and whose it is: `email` and `username` of the body, or of who is signed in or half-way there. */
export interface Tries {
  secret: 'password' | 'code'
  of: 'email' | 'username' | 'caller'
}

export interface AuthPath {
  method: 'GET' | 'POST'
  /** `signIn`: what fails is counted, by what is tried (lib/accounts/attempts.ts). `signUp`: what does not fail. */
  limit: EachPolicy | 'signIn' | 'signUp'
  /**
   * What the caller has to show. `none`: nothing, or what better-auth asks for. `password`: it is in the body.
   * `recent`: a session whose owner proved lately who they are (lib/accounts/proof.ts).
   */
  proof: 'none' | 'password' | 'recent'
  tries?: Tries
  /** Only there where OIDC_ISSUER is set. */
  byProvider?: true
  /** What of the body, or of the query of a GET, is handed on; everything else is dropped. */
  takes?: readonly string[]
}

const look = (limit: AuthPath['limit'], takes: string[] = []): AuthPath => ({ method: 'GET', limit, proof: 'none', takes })
const send = (limit: AuthPath['limit'], takes: string[] = []): AuthPath => ({ method: 'POST', limit, proof: 'none', takes })
const recent = (path: AuthPath): AuthPath => ({ ...path, proof: 'recent' })
/** Asks for the account's password in its body. */
const byPassword = (takes: string[]): AuthPath => ({
  ...send('signIn', takes),
  proof: 'password',
  tries: { secret: 'password', of: 'caller' },
})
const signIn = (of: 'email' | 'username'): AuthPath => ({
  ...send('signIn', [of, 'password', 'rememberMe', 'callbackURL']),
  tries: { secret: 'password', of },
})
const code: AuthPath = { ...send('signIn', ['code', 'trustDevice']), tries: { secret: 'code', of: 'caller' } }

/**
 * The paths under /api/auth that there are. What else better-auth can do is not for the public: handles are given, not
 * chosen; keys, sessions, deletion and the work of admins have routes of their own, which check scopes and write down
 * who did what.
 */
export const AUTH_PATHS: Readonly<Record<string, AuthPath>> = {
  '/get-session': look('account'),
  '/sign-up/email': send('signUp', ['name', 'email', 'password', 'callbackURL']),
  '/sign-in/email': signIn('email'),
  '/sign-in/username': signIn('username'),
  '/sign-in/social': {
    ...send('signIn', ['provider', 'callbackURL', 'newUserCallbackURL', 'errorCallbackURL']),
    byProvider: true,
  },
  '/callback/oidc': { ...look('signIn', ['code', 'state', 'error', 'error_description', 'iss']), byProvider: true },
  '/sign-out': send('account'),
  '/two-factor/enable': byPassword(['password']),
  '/two-factor/disable': byPassword(['password']),
  '/two-factor/get-totp-uri': byPassword(['password']),
  '/two-factor/generate-backup-codes': byPassword(['password']),
  '/two-factor/verify-totp': code,
  '/two-factor/verify-backup-code': code,
  '/passkey/generate-register-options': recent(look('account', ['name', 'authenticatorAttachment'])),
  '/passkey/verify-registration': recent(send('account', ['response', 'name'])),
  '/passkey/generate-authenticate-options': look('account'),
  '/passkey/verify-authentication': send('signIn', ['response']),
  '/passkey/list-user-passkeys': look('account'),
  '/passkey/update-passkey': recent(send('account', ['id', 'name'])),
  '/passkey/delete-passkey': recent(send('account', ['id'])),
  '/request-password-reset': send('mail', ['email', 'redirectTo']),
  '/reset-password': send('signIn', ['token', 'newPassword']),
  '/send-verification-email': send('mail', ['email', 'callbackURL']),
  '/verify-email': look('account', ['token', 'callbackURL']),
  '/change-email': recent(send('mail', ['newEmail', 'callbackURL'])),
  '/change-password': byPassword(['currentPassword', 'newPassword']),
  '/list-accounts': look('account'),
  '/link-social': recent(send('account', ['provider', 'callbackURL', 'errorCallbackURL'])),
  '/unlink-account': recent(send('account', ['accountId'])),
}

/** Fields that name where a browser is sent to afterwards. */
const DESTINATIONS = new Set(['callbackURL', 'errorCallbackURL', 'newUserCallbackURL', 'redirectTo'])
export const isDestination = (field: string) => DESTINATIONS.has(field)

/** Fields that are not text; better-auth looks at what is in them. */
const OTHERS: Readonly<Record<string, 'boolean' | 'object'>> = {
  rememberMe: 'boolean',
  trustDevice: 'boolean',
  response: 'object',
}
export const typeOfField = (field: string) => OTHERS[field] ?? 'string'
