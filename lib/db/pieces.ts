import { retryTransaction } from './errors'
import type { SqlGateway } from './sql-gateway'

/** Rows that one statement deletes: no lock is held for longer than these take. */
export const PIECE = 1_000

/**
 * Deletes rows in small pieces until there are none left. Not by Prisma's `deleteMany` with a limit, which asks for the rows in a
 * subquery: MariaDB then reads the whole table.
 * @param rows what follows DELETE FROM: a table, a condition with one value, and the order of the index that finds them
 * @returns how many rows there were
 * @throws TerseError 'unavailable'
 */
export async function deleteInPieces(
  db: Pick<SqlGateway, 'change'>,
  rows: string,
  value: unknown,
  piece = PIECE,
): Promise<number> {
  for (let deleted = 0; ; ) {
    // What is written at that moment may win a deadlock.
    const count = await retryTransaction(() => db.change(`DELETE FROM ${rows} LIMIT ${piece}`, value))
    deleted += count
    if (count < piece) return deleted
  }
}
