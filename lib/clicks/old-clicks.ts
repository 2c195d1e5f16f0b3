import { isUniqueViolation } from '@/lib/db/errors'
import { literal } from '@/lib/db/literal'
import type { SqlTransaction } from '@/lib/db/sql'
import type { SqlGateway } from '@/lib/db/sql-gateway'
import { sqlTime } from '@/lib/db/time'
import type { ClickFacts } from './click'
import { ClickIds, movedClickId, movedClickIdSql } from './click-id'
import { CLICK_KINDS } from './dimensions'
import { type SharedFact, SharedFacts } from './shared-facts'
import { ALL_FACTS, type ClickDay, insertSingleClicks, noteClickDays, singleClicksWith } from './single-clicks'
import { compare, dayOf, type StoredClick } from './tally'

/**
 * Single clicks that former releases stored, each with all its texts, in the table Click. They are moved bit by bit, since all at
 * once would take as long as a start may not; until then they are read where they are. To be deleted, table and all, with a
 * release that has no predecessor beside it which still writes there.
 */

/** Clicks that one transaction moves. */
const PIECE = 1_000

/** Facts as that table has them: where a link with several destinations led was not known then. */
const oldColumns = (facts: Iterable<SharedFact>) =>
  [...new Set(facts)].map((fact) => (fact === 'destination' ? "'' AS destination" : fact))

const KIND_NUMBER = `FIELD(kind, ${CLICK_KINDS.map(literal).join()}) - 1`

/** `singleClicksWith`, with the clicks that are not moved yet, if there are any. */
export async function allSingleClicks(db: Pick<SqlGateway, 'rows'>): Promise<typeof singleClicksWith> {
  const [first] = await db.rows<{ linkId: bigint | null }>('SELECT MIN(linkId) AS linkId FROM Click')
  if (first?.linkId == null) return singleClicksWith
  return (facts: Iterable<SharedFact>) => {
    const columns = ['', ...new Set(facts)].join(', ')
    const old = ['', ...oldColumns(facts)].join(', ')
    return `(SELECT linkId, click.id AS id, visitor, kind${columns} FROM ${singleClicksWith(facts)}
     UNION ALL SELECT linkId, ${movedClickIdSql} AS id, visitor, ${KIND_NUMBER}${old} FROM Click) AS click`
  }
}

interface OldRow extends ClickFacts {
  linkId: bigint
  at: Date
  id: bigint
  visitor: string
}

/** Moves all of them, each once, however many processes do. @throws what MySQL throws: the rest is for the next time */
export async function moveOldClicks(db: SqlGateway): Promise<void> {
  const sharedFacts = new SharedFacts()
  for (let from: bigint | null = -1n; from !== null; ) {
    const first: bigint = from
    const move = (idOf: (row: OldRow) => bigint) => db.transaction((tx) => movePiece(db, tx, first, sharedFacts, idOf))
    try {
      from = await move(({ at, id }) => movedClickId(at.getTime(), id))
    } catch (error) {
      if (!isUniqueViolation(error)) throw error
      // Two of one link and millisecond had the same bits: these rows get ids of their own.
      const ids = new ClickIds()
      from = await move(({ at }) => ids.next(at.getTime()))
    }
  }
}

/** @returns the link to go on with; null: there are no more */
async function movePiece(
  db: SqlGateway,
  tx: SqlTransaction,
  first: bigint,
  sharedFacts: SharedFacts,
  idOf: (row: OldRow) => bigint,
): Promise<bigint | null> {
  const rows = await tx.rows<OldRow>(
    `SELECT linkId, at, id, LOWER(HEX(visitor)) AS visitor, kind, ${oldColumns(ALL_FACTS).join()} FROM Click
      WHERE linkId >= ? ORDER BY linkId, at, id LIMIT ${PIECE} FOR UPDATE`,
    [first],
  )
  const last = rows.at(-1)
  if (!last) return null
  const clicks = rows.map((row) => ({
    linkId: row.linkId,
    id: idOf(row),
    at: row.at.getTime(),
    visitor: row.visitor,
    facts: row,
  }))
  const referencesOf = await sharedFacts.store(db, clicks)
  await insertSingleClicks(tx, clicks, { sharedFacts, referencesOf }, ({ id }) => id)
  await noteClickDays(tx, daysOf(clicks))
  const { rows: deleted } = await tx.run(
    `DELETE FROM Click WHERE linkId >= ? AND (linkId < ? OR linkId = ? AND (at < ? OR at = ? AND id <= ?))
      ORDER BY linkId, at, id LIMIT ${PIECE + 1}`,
    [first, last.linkId, last.linkId, sqlTime(last.at.getTime()), sqlTime(last.at.getTime()), last.id],
  )
  if (deleted !== rows.length) throw new Error('a former release stored a click among those that were being moved')
  return rows.length < PIECE ? null : last.linkId
}

/** In the order of their key. */
function daysOf(clicks: readonly StoredClick[]): ClickDay[] {
  const days = new Map(clicks.map(({ linkId, at }) => [`${dayOf(at)}|${linkId}`, { day: dayOf(at), linkId }]))
  return [...days.values()].sort((a, b) => a.day - b.day || compare(a.linkId, b.linkId))
}
