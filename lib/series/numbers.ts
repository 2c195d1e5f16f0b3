import { nextId } from '@/lib/db/id'
import type { SqlGateway } from '@/lib/db/sql-gateway'
import { sqlTime } from '@/lib/db/time'
import type { Batch, Series } from './engine'

/** The numbers that were drawn, in MySQL: one row each, whose primary key decides who has it. */

/** Rows read at a time. */
const BATCH = 2_000

/** The index that refuses a number that is taken. */
export const NUMBER_INDEX = 'PRIMARY'

export interface NumberRow {
  position: number
  id: bigint
  freeAt: Date | null
}

/** Runs a statement of the transaction that draws. */
export type Run = (sql: string) => Promise<unknown>

/** Writes down numbers that were drawn, in place of those that rested long enough. @throws a violation of NUMBER_INDEX */
export async function insertNumbers(run: Run, { id }: Pick<Series, 'id'>, { positions, day, at, freeAt }: Batch): Promise<void> {
  if (freeAt !== null) {
    const rested = `freeAt <= '${sqlTime(at)}'`
    await run(
      `DELETE FROM SeriesNumber WHERE seriesId = ${id} AND day = ${day} AND position IN (${positions.join(',')}) AND ${rested}`,
    )
  }
  const until = freeAt === null ? 'NULL' : `'${sqlTime(freeAt)}'`
  const rows = positions.map((position) => `(${id},${day},${position},${nextId()},${until})`)
  await run(`INSERT INTO SeriesNumber (seriesId, day, position, id, freeAt) VALUES ${rows.join(',')}`)
}

/** All numbers of a series that are not by day, batch by batch. */
export async function* busyPositions(db: SqlGateway, seriesId: bigint): AsyncGenerator<NumberRow[], void> {
  for (let after = -1; ; ) {
    const rows = await db.rows<Omit<NumberRow, 'position'> & { position: bigint | number }>(
      `SELECT position, id, freeAt FROM SeriesNumber WHERE seriesId = ? AND day = 0 AND position > ?
       ORDER BY position LIMIT ${BATCH}`,
      seriesId,
      after,
    )
    const found = rows.map((row) => ({ ...row, position: Number(row.position) }))
    const last = found.at(-1)
    if (!last) return
    yield found
    after = last.position
  }
}

/** Which of some positions are taken at an instant (ms since 1970). */
export async function takenPositions(
  db: SqlGateway,
  seriesId: bigint,
  day: number,
  positions: readonly number[],
  at: number,
): Promise<Set<number>> {
  const rows = await db.rows<{ position: bigint | number }>(
    `SELECT position FROM SeriesNumber WHERE seriesId = ? AND day = ? AND position IN (?) AND (freeAt IS NULL OR freeAt > ?)`,
    seriesId,
    day,
    positions,
    sqlTime(at),
  )
  return new Set(rows.map(({ position }) => Number(position)))
}

/** The position that was drawn last, of a series that is not by day; null: none was. */
export async function newestPosition(db: SqlGateway, seriesId: bigint): Promise<number | null> {
  const [row] = await db.rows<{ position: bigint | number }>(
    'SELECT position FROM SeriesNumber WHERE seriesId = ? ORDER BY id DESC LIMIT 1',
    seriesId,
  )
  return row ? Number(row.position) : null
}

/** The greatest position of a day; -1: none. */
export async function greatestPosition(db: SqlGateway, seriesId: bigint, day: number): Promise<number> {
  const [row] = await db.rows<{ position: bigint | number }>(
    'SELECT position FROM SeriesNumber WHERE seriesId = ? AND day = ? ORDER BY position DESC LIMIT 1',
    seriesId,
    day,
  )
  return Number(row?.position ?? -1)
}

/** The numbers that were drawn last, the newest first. */
export async function newestNumbers(
  db: SqlGateway,
  seriesId: bigint,
  count: number,
): Promise<{ position: number; day: number; id: bigint }[]> {
  const rows = await db.rows<{ position: bigint | number; day: number; id: bigint }>(
    'SELECT position, day, id FROM SeriesNumber WHERE seriesId = ? ORDER BY id DESC LIMIT ?',
    seriesId,
    count,
  )
  return rows.map(({ position, day, id }) => ({ position: Number(position), day: Number(day), id: BigInt(id) }))
}
