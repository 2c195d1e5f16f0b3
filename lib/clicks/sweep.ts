import { deleteInPieces, PIECE } from '@/lib/db/pieces'
import type { SqlGateway } from '@/lib/db/sql-gateway'
import { sqlTime } from '@/lib/db/time'
import { DAY } from '@/lib/tools/time'
import { BATCH_LIFETIME } from './entry-reader'
import { firstTimedIdAt } from './timed-id'

/** Batches are remembered longer than one can still be counted, and the visitors of a day longer than its batches. */
const BATCH_MEMORY = BATCH_LIFETIME + DAY
const VISITOR_MEMORY = BATCH_MEMORY + DAY
/** The latest that a take of a limit can still be given back: its process tries as long as it lives. */
const TAKE_MEMORY = DAY

type Change = Pick<SqlGateway, 'change'>

/** Deletes single clicks that are older than `retentionDays`, and what was only remembered to count each click once. */
export async function sweepOldClicks(db: Change, now: number, retentionDays: number): Promise<void> {
  await deleteInPieces(db, 'Click WHERE at < ? ORDER BY at', sqlTime(now - retentionDays * DAY))
  const day = Math.floor((now - VISITOR_MEMORY) / DAY)
  await deleteInPieces(db, 'ClickVisitor WHERE day < ? ORDER BY day', day)
  await deleteInPieces(db, 'ClickBatch WHERE id < UNHEX(?) ORDER BY id', firstTimedIdAt(now - BATCH_MEMORY))
  await deleteInPieces(db, 'ClickTake WHERE id < UNHEX(?) ORDER BY id', firstTimedIdAt(now - TAKE_MEMORY))
}

/** What a link's clicks left behind, and what was noted of them, in the order of each table's index. */
const OF_A_LINK = [
  'Click WHERE linkId = ? ORDER BY at, id',
  'ClickRollup WHERE linkId = ? ORDER BY dimension, span, hour, value',
  'LinkNote WHERE linkId = ? ORDER BY at',
]

/**
 * Deletes the clicks of links that are gone for good. A link is done with once a whole round has found nothing of
 * it: what a batch under way still wrote, the next round finds.
 */
export async function purgeClicks(db: Change & Pick<SqlGateway, 'rows'>): Promise<void> {
  const days = await visitorDays(db)
  const visitors = days.map((day) => `ClickVisitor WHERE day = ${day} AND linkId = ? ORDER BY visitor`)
  for (let after = -1n; ; ) {
    const links = await db.rows<{ linkId: bigint }>(
      `SELECT linkId FROM ClickPurge WHERE linkId > ? ORDER BY linkId LIMIT ${PIECE}`,
      after,
    )
    for (const { linkId } of links) {
      let deleted = 0
      for (const rows of [...OF_A_LINK, ...visitors]) deleted += await deleteInPieces(db, rows, linkId)
      if (deleted === 0) await db.change('DELETE FROM ClickPurge WHERE linkId = ?', linkId)
      after = linkId
    }
    if (links.length < PIECE) return
  }
}

/** The days of which visitors are remembered: one step down the index for each. */
async function visitorDays(db: Pick<SqlGateway, 'rows'>): Promise<number[]> {
  const days: number[] = []
  for (let last = -1; ; ) {
    const [row] = await db.rows<{ day: number | null }>('SELECT MIN(day) AS day FROM ClickVisitor WHERE day > ?', last)
    if (row?.day == null) return days
    days.push(row.day)
    last = row.day
  }
}
