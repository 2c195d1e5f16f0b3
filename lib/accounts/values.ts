/** What fields of an account can be, apart from their schemas: the browser needs these, and no zod with them. */

export const KEY_SCOPES = ['read', 'write'] as const
