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
/** How long a password that was typed, or a sign-in, counts as recent, in ms. */
export const RECENT_MS = 15 * 60_000
/** Days without use after which a session is over. */
export const SESSION_DAYS = 30
/** Days after the sign-in when a session is over, however often it was used. */
export const SESSION_END_DAYS = 90
/** Begins the identifier of what a link for a new password leaves in Verification, as better-auth's own does. */
export const RESET_PREFIX = 'reset-password:'
/** Begins the identifier of a browser that is asked for no second factor; better-auth's. */
export const TRUSTED_BROWSER_PREFIX = 'trust-device-'
