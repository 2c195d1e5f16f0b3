import type { z } from 'zod'
import type { RowOutcome } from './row-outcome'
import type { RunningJob } from './running-job'

/** How rows are dealt with, many at a time. */
export interface Batches<Row, Prepared extends { readonly length: number }> {
  row: z.ZodType<Row>
  /** Rows of a batch. */
  size: number
  /** @returns what to do for the first of them, one at least: the rest is given to it again */
  prepare: (rows: readonly Row[], position: number) => Promise<Prepared>
  /** @returns what came of the rows that were prepared, once that is written down so that it would be found by `prepare` */
  finish: (prepared: Prepared, rows: readonly Row[], position: number) => Promise<RowOutcome[]>
}

interface Batch<Row, Prepared> {
  rows: Row[]
  prepared: Prepared
}

/**
 * Deals with all rows that a job was given in parts and that have not been reported yet. While a batch is finished the next is
 * prepared, unless the turn is over by then; that is lost if the one before fails.
 * @throws as `report` and `turn`
 */
export async function eachBatch<Input, Row, Prepared extends { readonly length: number }>(
  job: RunningJob<Input>,
  { row, size, prepare, finish }: Batches<Row, Prepared>,
): Promise<void> {
  let part: { rows: Row[]; first: number } | null = null
  const prepareAt = async (position: number): Promise<Batch<Row, Prepared>> => {
    if (part === null || position >= part.first + part.rows.length) part = await job.part(row, position)
    const rows = part.rows.slice(position - part.first, position - part.first + size)
    return { rows, prepared: await prepare(rows, position) }
  }
  let coming: Promise<Batch<Row, Prepared>> | null = null
  const next = (): Promise<Batch<Row, Prepared>> => coming ?? prepareAt(job.done)
  while (job.done < job.row.total) {
    const { rows, prepared } = await next()
    const position = job.done
    const behind = position + rows.length
    const goesOn = prepared.length === rows.length && behind < job.row.total && !job.isTurnOver
    coming = goesOn ? prepareAt(behind) : null
    // Nobody waits for it when this batch fails: its own failure is no unhandled rejection then.
    coming?.catch(() => {})
    await job.tell(await finish(prepared, rows, position))
    if (coming === null) await job.turn()
  }
}
