/** Statements that may read a whole table, by their shape (lib/testing/statements.ts), and why. Held to by lib/db/plans.check.ts. */
export const WHOLE_TABLE: readonly { statement: RegExp; reason: string }[] = []
