/** Who can change links, and their numbers in `LinkChange.byKind`. */
export const AUTHORS = { account: 1, token: 2, admin: 3, system: 4 } as const
export type AuthorKind = keyof typeof AUTHORS

export const AUTHOR_KINDS = Object.keys(AUTHORS) as AuthorKind[]

/** The fields of a link that its history tells, by their names in the API, in the order of an entry. */
export const HISTORY_FIELDS = [
  'url',
  'code',
  'routing',
  'preview',
  'expiredUrl',
  'state',
  'banReason',
  'title',
  'startsAt',
  'expiresAt',
  'maxClicks',
  'password',
  'redirectStatus',
  'listed',
  'publicHistory',
  'owner',
] as const
export type HistoryField = (typeof HISTORY_FIELDS)[number]

/**
 * How many entries are kept of changes to where a link leads, and of all others: the first one, and the newest. With one limit
 * for both, editing titles could push a destination out of sight. An entry takes about 300 bytes, with rules of the greatest
 * length 120 kB.
 */
export const MOST_ENTRIES = 50
