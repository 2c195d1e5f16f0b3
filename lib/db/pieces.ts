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

/**
 * Rows in order of id, batch by batch, each read where the one before ended.
 * @param read the first rows whose id is greater than `after`, in order of id
 */
export async function* inBatches<Row extends { id: bigint }>(
  after: bigint,
  read: (after: bigint) => Promise<Row[]>,
): AsyncGenerator<{ rows: Row[]; lastId: bigint }, void> {
  for (let lastId = after; ; ) {
    const rows = await read(lastId)
    const last = rows.at(-1)
    if (!last) return
    lastId = last.id
    yield { rows, lastId }
  }
}

/** `items` in their order, `size` at a time. */
export function* pieces<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let i = 0; i < items.length; i += size) yield items.slice(i, i + size)
}
