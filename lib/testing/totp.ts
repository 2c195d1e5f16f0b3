import { totp as codeOf } from '@/e2e/support/totp'

/**
 * The code that an authenticator app shows.
 * @param uri what the app reads, with the secret in it
 * @param later how many steps of 30 seconds after now; the server takes one step earlier and later too
 */
export const totp = (uri: string, later = 0): string => codeOf(new URL(uri).searchParams.get('secret') ?? '', later)
