import type { RowOutcome } from '@/lib/jobs/row-outcome'
import { shownTarget } from '@/lib/jobs/row-outcome'
import type { RunningJob } from '@/lib/jobs/running-job'
import type { LinkContext } from './context'
import { idempotencyOf } from './idempotency'
import type { ImportRow } from './import-source'

type KeptRow = Omit<RowOutcome, 'target'> & Partial<Pick<RowOutcome, 'target'>>

/**
 * What came of rows of an import that an earlier release began, which wrote that down by the position of the first of them, with
 * what is the same of several once. Nothing else writes it any more.
 */
export async function writtenByEarlierRelease(
  { db, config }: LinkContext,
  { row }: RunningJob<unknown>,
  rows: readonly ImportRow[],
  position: number,
): Promise<{ written: RowOutcome[]; length: number } | null> {
  const { key } = idempotencyOf(config.APP_SECRET, String(position), `rows of job ${row.id}`, null)
  const [found] = await db.rows<{ response: string }>('SELECT response FROM IdempotencyKey WHERE `key` = ?', key)
  if (!found) return null
  const kept = JSON.parse(found.response) as { of: KeptRow[]; rows: number[] } | KeptRow[]
  const all = Array.isArray(kept) ? kept : kept.rows.flatMap((place) => kept.of[place] ?? [])
  const aboutOf = ({ code, url }: ImportRow = {}) => code ?? url ?? ''
  const written = all.map((outcome, index) => ({ target: shownTarget(aboutOf(rows[index])), ...outcome }))
  return { written, length: written.length }
}
