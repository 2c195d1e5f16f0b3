import type { Transaction } from './client'
import type { Cell } from './literal'
import { insertText } from './sql'
import { sqlTime } from './time'

/**
 * Inserts rows by one statement, in a transaction of Prisma. Its `createMany` costs up to a millisecond of processor time a row.
 * All rows have the columns of the first. Does nothing without rows.
 */
export async function insertMany<Row extends { readonly [Column in keyof Row]: Cell | Date }>(
  tx: Pick<Transaction, '$executeRawUnsafe'>,
  table: string,
  rows: readonly Row[],
): Promise<void> {
  const [first] = rows
  if (first) await tx.$executeRawUnsafe(insertText(table, Object.keys(first), rows.map(plain)))
}

const plain = (row: Readonly<Record<string, Cell | Date>>): Record<string, Cell> =>
  Object.fromEntries(Object.entries(row).map(([column, cell]) => [column, cell instanceof Date ? sqlTime(cell.getTime()) : cell]))
