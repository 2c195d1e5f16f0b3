import { firstIdAt } from '@/lib/db/id'
import { deleteInPieces, PIECE } from '@/lib/db/pieces'
import type { SqlGateway } from '@/lib/db/sql-gateway'
import { sqlTime } from '@/lib/db/time'
import { WINDOW_DAYS } from '@/lib/routing/click-ids'
import { DAY } from '@/lib/tools/time'
import { firstTimedIdAt } from '@/lib/tools/timed-id'
import { firstClickIdAt } from './click-id'
import { BATCH_LIFETIME } from './entry-reader'
import { SHARED_TABLES } from './shared-facts'

/** Batches are remembered longer than one can still be counted, and the visitors of a day longer than its batches. */
const BATCH_MEMORY = BATCH_LIFETIME + DAY
const VISITOR_MEMORY = BATCH_MEMORY + DAY
/** The latest that a take of a limit can still be given back: its process tries as long as it lives. */
const TAKE_MEMORY = DAY

type Sweeping = Pick<SqlGateway, 'change' | 'rows'>

/**
 * Deletes the single clicks of days that are over since `retentionDays`, what they shared, conversions that old, and what was
 * only remembered to count each click once.
 */
export async function sweepOldClicks(db: Sweeping, now: number, retentionDays: number): Promise<void> {
  const firstKept = Math.floor((now - retentionDays * DAY) / DAY)
  await sweepSingleClicks(db, firstKept)
  // No click of a kept day names what was last used before it; clocks of processes may differ, by less than a day.
  for (const { table } of SHARED_TABLES) await deleteInPieces(db, `${table} WHERE usedOn < ? ORDER BY usedOn`, firstKept - 1)
  // What former releases stored.
  await deleteInPieces(db, 'Click WHERE at < ? ORDER BY at', sqlTime(now - retentionDays * DAY))
  // None before the ID of its click has expired: until then it may be reported again.
  await deleteInPieces(db, 'Conversion WHERE id < ? ORDER BY id', firstIdAt(now - Math.max(retentionDays, WINDOW_DAYS + 1) * DAY))
  const day = Math.floor((now - VISITOR_MEMORY) / DAY)
  await deleteInPieces(db, 'ClickVisitor WHERE day < ? ORDER BY day', day)
  await deleteInPieces(db, 'ClickBatch WHERE id < UNHEX(?) ORDER BY id', firstTimedIdAt(now - BATCH_MEMORY))
  await deleteInPieces(db, 'ClickTake WHERE id < UNHEX(?) ORDER BY id', firstTimedIdAt(now - TAKE_MEMORY))
}

/** Links asked about at once. Of a thousand or more, MariaDB makes a table first, and then reads all clicks of each. */
const LINKS = 500

/** Deletes the single clicks of all days before `firstKept`, which costs what these days hold. */
async function sweepSingleClicks(db: Sweeping, firstKept: number): Promise<void> {
  const before = firstClickIdAt(firstKept * DAY)
  for (const day of await daysOf(db, 'ClickDay')) {
    if (day >= firstKept) return
    for (let after = -1n; ; ) {
      const links = await db.rows<{ linkId: bigint }>(
        `SELECT linkId FROM ClickDay WHERE day = ? AND linkId > ? ORDER BY linkId LIMIT ${LINKS}`,
        ...[day, after],
      )
      const last = links.at(-1)?.linkId
      if (last === undefined) break
      const ids = links.map(({ linkId }) => linkId).join()
      await deleteInPieces(db, `SingleClick WHERE linkId IN (${ids}) AND id < ? ORDER BY linkId, id`, before)
      // Not of a link that a batch under way has given clicks of that day meanwhile: the next round finds these. By a table of
      // such links, made once: asked link by link, MySQL, or MariaDB, reads all clicks that a link has.
      await db.change(
        `DELETE FROM ClickDay WHERE day = ? AND linkId IN (${ids})
           AND linkId NOT IN (SELECT linkId FROM (SELECT DISTINCT linkId FROM SingleClick WHERE linkId IN (${ids}) AND id < ?) AS kept)`,
        ...[day, before],
      )
      after = last
    }
  }
}

/** What a link's clicks left behind, what was noted of both, how it was filed and changed, in the order of each table's index. */
const OF_A_LINK = [
  'SingleClick WHERE linkId = ? ORDER BY id',
  'Click WHERE linkId = ? ORDER BY at, id',
  'ClickRollup WHERE linkId = ? ORDER BY dimension, span, hour, value',
  'Conversion WHERE linkId = ? ORDER BY clickedAt, id',
  'ConversionRollup WHERE linkId = ? ORDER BY span, hour, destination, name, currency',
  'StatsShare WHERE linkId = ? ORDER BY linkId',
  'LinkNote WHERE linkId = ? ORDER BY at',
  'SplitEnd WHERE linkId = ? ORDER BY linkId',
  'LinkPreview WHERE linkId = ? ORDER BY linkId',
  'LinkHealth WHERE linkId = ? ORDER BY linkId',
  'LinkLabel WHERE linkId = ? ORDER BY labelId',
  'LinkComment WHERE linkId = ? ORDER BY linkId',
  'LinkChange WHERE linkId = ? ORDER BY version',
  'UpstreamLink WHERE linkId = ? ORDER BY linkId',
]

/**
 * Deletes the clicks of links that are gone for good. A link is done with once a whole round has found nothing of
 * it: what a batch under way still wrote, the next round finds.
 */
export async function purgeClicks(db: Sweeping): Promise<void> {
  const days = await daysOf(db, 'ClickVisitor')
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

/** The days that a table has rows of: one step down its key for each. */
async function daysOf(db: Sweeping, table: 'ClickVisitor' | 'ClickDay'): Promise<number[]> {
  const days: number[] = []
  for (let last = -1; ; ) {
    const [row] = await db.rows<{ day: number | null }>(`SELECT MIN(day) AS day FROM ${table} WHERE day > ?`, last)
    if (row?.day == null) return days
    days.push(row.day)
    last = row.day
  }
}
