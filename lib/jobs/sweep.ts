import type { DatabaseGateway } from '@/lib/db/gateway'
import { firstIdAt } from '@/lib/db/id'
import { PIECE } from '@/lib/db/pieces'
import { LONGEST_REQUEST } from '@/lib/tools/list-size'
import { DAY, MINUTE } from '@/lib/tools/time'
import { cancelForgotten, dropFile, dropItems, dropParts } from './queue'
import { ENDED } from './values'

/** How long a job is kept after its end, in ms. */
const LIFETIME = 30 * DAY
/** A job is there this long after its first rows, in ms, or will never be: once its file has arrived. */
const QUEUEING = LONGEST_REQUEST + 10 * MINUTE

/**
 * Cancels jobs that wait for nobody any more. Deletes jobs that ended long ago, with their rows and files: these first, so that
 * a sweep that is broken off leaves nothing behind that no job leads to.
 * @returns how many jobs. @throws TerseError 'unavailable'
 */
export async function sweepJobs(db: DatabaseGateway, now: number): Promise<number> {
  await cancelForgotten(db)
  for (const table of ['JobPart', 'JobSource'] as const) await sweepGiven(db, table, now)
  const before = now - LIFETIME
  // What ended before then was made before then: only old ids are looked at.
  const ended = {
    id: { lt: firstIdAt(before) },
    finishedAt: { lt: new Date(before) },
    state: { in: [...ENDED] },
  }
  for (let swept = 0; ; ) {
    const jobs = await db.read((client) =>
      client.job.findMany({ where: ended, select: { id: true }, orderBy: { id: 'asc' }, take: PIECE }),
    )
    for (const { id } of jobs) {
      await dropItems(db, id)
      await dropParts(db, id)
      await dropFile(db, id)
      await db.change('DELETE FROM Job WHERE id = ?', id)
    }
    swept += jobs.length
    if (jobs.length < PIECE) return swept
  }
}

/**
 * What jobs were given that have ended since the last sweep, other than by being cancelled by their owner. From job to job,
 * as no index leads to what those had that ended; those that have not are few, since each account's are counted.
 */
async function sweepGiven(db: DatabaseGateway, table: 'JobPart' | 'JobSource', now: number): Promise<void> {
  const queued = firstIdAt(now - QUEUEING)
  for (let after = 0n; ; ) {
    const [given] = await db.rows<{ jobId: bigint }>(`SELECT jobId FROM ${table} WHERE jobId > ? ORDER BY jobId LIMIT 1`, after)
    if (!given) return
    const [job] = await db.rows<{ finishedAt: Date | null }>('SELECT finishedAt FROM Job WHERE id = ?', given.jobId)
    if (job ? job.finishedAt : given.jobId < queued) await dropParts(db, given.jobId)
    after = given.jobId
  }
}
