import type { Cell } from './literal'
import { insertText, type SqlTransaction } from './sql'
import { sqlTime } from './time'

/** What runs a statement: a transaction of Prisma's, or one in plain SQL (`runnerOf`). */
export interface Runner {
  $executeRawUnsafe(sql: string, ...values: unknown[]): PromiseLike<unknown>
}

/** A transaction in plain SQL, for what runs statements in one of Prisma's too. */
export const runnerOf = (tx: SqlTransaction): Runner => ({ $executeRawUnsafe: (sql, ...values) => tx.run(sql, values) })

/**
 * Inserts rows by one statement, in a transaction of Prisma. Its `createMany` costs up to a millisecond of processor time a row.
 * All rows have the columns of the first. Does nothing without rows.
 */
export async function insertMany<Row extends { readonly [Column in keyof Row]: Cell | Date }>(
  tx: Runner,
  table: string,
  rows: readonly Row[],
): Promise<void> {
  const [first] = rows
  if (first) await tx.$executeRawUnsafe(insertText(table, Object.keys(first), rows.map(plain)))
}

const plain = (row: Readonly<Record<string, Cell | Date>>): Record<string, Cell> =>
  Object.fromEntries(Object.entries(row).map(([column, cell]) => [column, cell instanceof Date ? sqlTime(cell.getTime()) : cell]))
