/** What came of a row of an import: by these words, rows are counted and found. */
export const IMPORT_RESULTS = ['created', 'completed', 'exists', 'taken', 'duplicate', 'refused'] as const
/** What came of a link that an import created or completed, when that is undone. */
export const UNDO_RESULTS = ['deleted', 'reverted', 'changed', 'gone'] as const

/** How an old and a new short link answer. */
export const VERIFY_RESULTS = ['same', 'status', 'location', 'missing', 'unreachable'] as const

export type ImportResult = (typeof IMPORT_RESULTS)[number]
export type UndoResult = (typeof UNDO_RESULTS)[number]
export type VerifyResult = (typeof VERIFY_RESULTS)[number]
export type RowResult = ImportResult | UndoResult | VerifyResult
/** All of them, in the order in which they are shown. */
export const ROW_RESULTS = [...IMPORT_RESULTS, ...UNDO_RESULTS, ...VERIFY_RESULTS] as const

/** States of jobs that have ended. */
export const ENDED = ['done', 'failed', 'cancelled'] as const
export const hasEnded = ({ state }: { readonly state: string }): boolean => (ENDED as readonly string[]).includes(state)
