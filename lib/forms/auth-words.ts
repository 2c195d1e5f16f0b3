import { COMMON_PASSWORD } from '@/lib/accounts/names'
import { type Failure, SIGNED_OUT } from './failure'

interface Words {
  message: string
  /** Name of the form's field that it is about. */
  field?: string
}

/** What was signed in with is wrong, and nobody is told which part of it. No form has such a field: it is said above all. */
export const CREDENTIALS = 'credentials'
const WRONG: Words = { field: CREDENTIALS, message: 'The e-mail address, the handle or the password is wrong.' }
/** The sign-in that a code was asked for has ended: another code is of no use. No form has such a field. */
export const ENDED = 'ended'
const COMMON: Words = { field: 'password', message: COMMON_PASSWORD }
const KNOWN: Words = { field: 'email', message: 'This address has an account already. Sign in with it.' }
const STALE: Words = { message: 'This link was used already, or it has expired. Ask for a new one.' }
const CANCELLED: Words = { message: 'Cancelled. Try again, or sign in with your password.' }

/** What better-auth says by a code, in plain words with what to do. */
const WORDS: Record<string, Words> = {
  INVALID_EMAIL_OR_PASSWORD: WRONG,
  INVALID_USERNAME_OR_PASSWORD: WRONG,
  INVALID_EMAIL: { field: 'email', message: 'Enter an e-mail address.' },
  INVALID_PASSWORD: { field: 'password', message: 'This is not the password of your account.' },
  PASSWORD_COMMON: COMMON,
  USER_ALREADY_EXISTS: KNOWN,
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: KNOWN,
  INVALID_TOKEN: STALE,
  TOKEN_EXPIRED: STALE,
  INVALID_CODE: { field: 'code', message: 'This code is wrong, or it was used already. A new one appears every 30 seconds.' },
  INVALID_BACKUP_CODE: { field: 'code', message: 'This backup code is wrong or already used.' },
  INVALID_TWO_FACTOR_COOKIE: { field: ENDED, message: 'This sign-in has ended. Sign in again.' },
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: { field: ENDED, message: 'There were too many wrong codes. Sign in again.' },
  SESSION_EXPIRED: { message: SIGNED_OUT },
  UNAUTHORIZED: { message: SIGNED_OUT },
  unauthorized: { message: SIGNED_OUT },
  VERIFICATION_EMAIL_NOT_ENABLED: { message: 'This address was confirmed, and without a mail server no other one can be.' },
  INVITATION_NEEDED: { message: 'An account can only be made by invitation here, and this address has none.' },
  SIGN_UP_CLOSED: { message: 'New accounts are not made here.' },
  ACCOUNT_NOT_LINKED: {
    message: 'There is an account with your address already. Sign in with its password, then link both in the settings.',
  },
  EMAIL_DOES_NOT_MATCH: { message: 'It knows you by another e-mail address than this account has, so they were not linked.' },
  ACCOUNT_ALREADY_LINKED_TO_DIFFERENT_USER: { message: 'It signs in to another account here, so it was not linked to this one.' },
  FAILED_TO_UNLINK_LAST_ACCOUNT: { message: 'You could not sign in any more. Set a password first.' },
  ACCESS_DENIED: { message: 'You did not allow it, so you were not signed in.' },
  BANNED: { message: 'This account was banned.' },
  CHALLENGE_NOT_FOUND: { message: 'That took too long. Try again.' },
  PASSKEY_NOT_FOUND: { message: 'This passkey belongs to no account here.' },
  AUTHENTICATION_FAILED: { message: 'This passkey does not open an account here.' },
  AUTH_CANCELLED: CANCELLED,
  ERROR_CEREMONY_ABORTED: CANCELLED,
  ERROR_PASSTHROUGH_SEE_CAUSE_PROPERTY: CANCELLED,
  ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED: { message: 'This device has a passkey of your account already.' },
}

interface Refusal {
  status: number
  code?: string | undefined
  message?: string | undefined
}

/** A failure in plain words, of what better-auth's client reports. */
export function refusalOf({ status, code = '', message: said }: Refusal): Failure {
  const words = WORDS[code]
  // What our own rules refuse they explain themselves, and more exactly.
  const isOurs = words === WRONG || words === COMMON || code.startsWith('INVITATION') || code.startsWith('SIGN_UP')
  const message = isOurs ? (said ?? words?.message) : (words?.message ?? said)
  const rest = {
    fields: words?.field ? { [words.field]: message ?? words.message } : {},
    said: said ?? null,
    wait: 'in a moment',
  }
  if (status === 429) return { kind: 'limited', ...rest, message: said ?? 'There were too many tries. Wait a few minutes.' }
  if (status >= 500) return { kind: 'unavailable', ...rest, message: UNAVAILABLE }
  const kind = status === 401 || status === 403 ? 'refused' : 'invalid'
  return { kind, ...rest, message: message ?? 'This cannot be accepted.' }
}

const UNAVAILABLE = 'This cannot be done at the moment. Nothing you entered is lost. Try again in a moment.'

/** Why the provider's sign-in was refused, by the code that better-auth adds to the address it sends the browser to. */
export function wordsOfError(code: string): string {
  return WORDS[code.toUpperCase()]?.message ?? 'Signing in did not work. Try again, or choose another way.'
}
