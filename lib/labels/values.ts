/** What labels are, apart from their schemas: the browser needs these, and no zod with them. */

/** Numbers as they are stored. `archived` and `favorite` are marks: an account has one label of each, without a name. */
export const LABEL_KINDS = { tag: 1, folder: 2, archived: 3, favorite: 4 } as const
export type LabelKind = keyof typeof LABEL_KINDS

/** Tags that one link can have. */
export const MOST_TAGS = 20
/** Tags that an account can have, and as many folders. */
export const MOST_NAMES = 1_000
export const MOST_NAME = 50
export const MOST_COMMENT = 2_000
