/** Shares that an account has at once. */
export const MOST_SHARES = 200

/** What is shared. */
export const SHARE_KINDS = ['link', 'tag', 'folder', 'domain', 'all'] as const
export type ShareKind = (typeof SHARE_KINDS)[number]

/** Days that a badge and a chart show. */
export const EMBED_DAYS = 30

/** The header by which a visitor shows that they gave the password. */
export const PASS_HEADER = 'share-pass'
