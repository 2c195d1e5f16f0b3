import { type Message, say, type Writer } from '@/lib/i18n/message'
import type { Failure } from './failure'

interface Words {
  message: Message
  /** Name of the form's field that it is about. */
  field?: string
  /** The server knows it more exactly, and says so. */
  isTold?: true
}

/** What was signed in with is wrong, and nobody is told which part of it. No form has such a field: it is said above all. */
export const CREDENTIALS = 'credentials'
const WRONG: Words = { field: CREDENTIALS, message: say('forms.auth.wrong'), isTold: true }
/** The sign-in that a code was asked for has ended: another code is of no use. No form has such a field. */
export const ENDED = 'ended'
const KNOWN: Words = { field: 'email', message: say('forms.auth.known') }
const STALE: Words = { message: say('forms.auth.stale') }
const CANCELLED: Words = { message: say('forms.auth.cancelled') }
const SIGNED_OUT: Words = { message: say('forms.signedOut') }

/** What better-auth says by a code. */
const WORDS: Record<string, Words> = {
  INVALID_EMAIL_OR_PASSWORD: WRONG,
  INVALID_USERNAME_OR_PASSWORD: WRONG,
  INVALID_EMAIL: { field: 'email', message: say('forms.email') },
  INVALID_PASSWORD: { field: 'password', message: say('forms.auth.wrongPassword') },
  PASSWORD_COMMON: { field: 'password', message: say('forms.password.common'), isTold: true },
  USER_ALREADY_EXISTS: KNOWN,
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: KNOWN,
  INVALID_TOKEN: STALE,
  TOKEN_EXPIRED: STALE,
  INVALID_CODE: { field: 'code', message: say('forms.auth.wrongCode') },
  INVALID_BACKUP_CODE: { field: 'code', message: say('forms.auth.wrongBackupCode') },
  INVALID_TWO_FACTOR_COOKIE: { field: ENDED, message: say('forms.auth.ended') },
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: { field: ENDED, message: say('forms.auth.tooManyCodes') },
  SESSION_EXPIRED: SIGNED_OUT,
  UNAUTHORIZED: SIGNED_OUT,
  unauthorized: SIGNED_OUT,
  VERIFICATION_EMAIL_NOT_ENABLED: { message: say('forms.auth.noMail') },
  INVITATION_NEEDED: { message: say('forms.auth.invitationNeeded'), isTold: true },
  SIGN_UP_CLOSED: { message: say('forms.auth.closed'), isTold: true },
  ACCOUNT_NOT_LINKED: { message: say('forms.auth.notLinked') },
  EMAIL_DOES_NOT_MATCH: { message: say('forms.auth.otherEmail') },
  ACCOUNT_ALREADY_LINKED_TO_DIFFERENT_USER: { message: say('forms.auth.linkedElsewhere') },
  FAILED_TO_UNLINK_LAST_ACCOUNT: { message: say('forms.auth.lastWay') },
  ACCESS_DENIED: { message: say('forms.auth.denied') },
  BANNED: { message: say('forms.auth.banned') },
  CHALLENGE_NOT_FOUND: { message: say('forms.auth.tooLate') },
  PASSKEY_NOT_FOUND: { message: say('forms.auth.unknownPasskey') },
  AUTHENTICATION_FAILED: { message: say('forms.auth.wrongPasskey') },
  AUTH_CANCELLED: CANCELLED,
  ERROR_CEREMONY_ABORTED: CANCELLED,
  ERROR_PASSTHROUGH_SEE_CAUSE_PROPERTY: CANCELLED,
  ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED: { message: say('forms.auth.passkeyThere') },
}

interface Refusal {
  status: number
  code?: string | undefined
  message?: string | undefined
}

/** A failure in plain words, of what better-auth's client reports. */
export function refusalOf({ status, code = '', message: said }: Refusal, write: Writer): Failure {
  const words = WORDS[code]
  const own = words && write(words.message)
  const message = words?.isTold ? (said ?? own) : (own ?? said)
  const rest = {
    fields: words?.field && message ? { [words.field]: message } : {},
    said: said ?? null,
    wait: say('forms.wait.moment'),
  }
  if (status === 429) return { kind: 'limited', ...rest, message: said ?? write(say('forms.auth.tooMany')) }
  if (status >= 500) return { kind: 'unavailable', ...rest, message: write(say('forms.unsaved', { wait: rest.wait })) }
  const kind = status === 401 || status === 403 ? 'refused' : 'invalid'
  return { kind, ...rest, message: message ?? write(say('forms.invalid')) }
}

/** Why the provider's sign-in was refused, by the code that better-auth adds to the address it sends the browser to. */
export const wordsOfError = (code: string): Message => WORDS[code.toUpperCase()]?.message ?? say('forms.auth.failed')
