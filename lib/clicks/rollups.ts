import { pieces } from '@/lib/db/pieces'
import type { SqlTransaction } from '@/lib/db/sql'
import { COUNTS, type RollupRow } from './tally'

/** Rows of one statement; more would pass MySQL's limits on packets and placeholders. */
const ROWS = 500
const COLUMNS = ['linkId', 'dimension', 'span', 'hour', 'value', ...COUNTS] as const
/** What an INSERT says of rows that are there, to add to them. */
export const ADD_COUNTS = `ON DUPLICATE KEY UPDATE ${COUNTS.map((count) => `${count} = ${count} + VALUES(${count})`).join(', ')}`

/** @param rows in the order of their key, or two transactions would wait for each other */
export async function addRollups(tx: SqlTransaction, rows: readonly RollupRow[]): Promise<void> {
  await Promise.all([...pieces(rows, ROWS)].map((some) => tx.insert('ClickRollup', COLUMNS, some, ADD_COUNTS)))
}
