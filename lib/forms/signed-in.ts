/**
 * What came of a sign-in or sign-up that was accepted. `second factor`: the password was right, and a code is asked for.
 * `verify`: a mail was sent, whose link confirms the address; nobody is signed in yet.
 */
export type SignedIn = 'signed in' | 'second factor' | 'verify'

/** @param answer better-auth's */
export function signedInBy(answer: unknown): SignedIn {
  const { twoFactorRedirect, token } = (answer ?? {}) as { twoFactorRedirect?: unknown; token?: unknown }
  if (twoFactorRedirect === true) return 'second factor'
  return typeof token === 'string' ? 'signed in' : 'verify'
}
