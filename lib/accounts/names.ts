/** What must be known of better-auth's settings without loading it. */

/** Header in which lib/api tells better-auth the client's address; what a client itself sends there is dropped. */
export const CLIENT_HEADER = 'x-terse-client'
/** Header that brings the token of an invitation along with a sign-up. */
export const INVITATION_HEADER = 'x-invitation'
/** By which an API key is told from a manage token. */
export const KEY_PREFIX = 'terse_'
/** Providers of credentials: a password, and the one of OIDC_ISSUER. */
export const PASSWORD_PROVIDER = 'credential'
export const OIDC_PROVIDER = 'oidc'
export const MIN_PASSWORD = 8
export const MAX_PASSWORD = 128
