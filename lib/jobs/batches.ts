import type { z } from 'zod'
import type { RowOutcome } from './row-outcome'
import { JobEnded, type RunningJob } from './running-job'

/** How rows are dealt with, many at a time. */
export interface Batches<Row, Prepared extends { readonly length: number }> {
  row: z.ZodType<Row>
  /** Rows of a batch. */
  size: number
  /** @returns what to do for the first of them, one at least: the rest is given to it again */
  prepare: (rows: readonly Row[], position: number) => Promise<Prepared>
  /** @returns what came of the rows that were prepared, once that is written down so that it would be found by `prepare` */
  finish: (prepared: Prepared, rows: readonly Row[], position: number) => Promise<RowOutcome[]>
  /** Whether `finish` wrote down what came of rows as the job would (`insertItems`). */
  areWritten?: boolean
}

/**
 * Batches that are finished at the same time: while one waits for its commit or for Redis, another's statement runs and the next
 * is prepared. More were no faster.
 */
const AT_ONCE = 2

/**
 * Deals with all rows that a job was given in parts and that have not been reported yet, and reports them in their order. Batches
 * begin at fixed rows of a part: where one fails, those behind it may be written down already, and are found at the same rows.
 * @throws as `report` and `turn`, once no batch is under way any more
 */
export async function eachBatch<Input, Row, Prepared extends { readonly length: number }>(
  job: RunningJob<Input>,
  { row, size, prepare, finish, areWritten }: Batches<Row, Prepared>,
): Promise<void> {
  const finishing: Promise<RowOutcome[]>[] = []
  let part: { rows: Row[]; first: number } | null = null
  let position = job.done
  let isTurnOver = false
  const begin = async (): Promise<void> => {
    if (part === null || position >= part.first + part.rows.length) part = await job.part(row, position)
    const from = position - part.first
    const rows = part.rows.slice(from, from - (from % size) + size)
    const prepared = await prepare(rows, position)
    const finished = finish(prepared, rows, position)
    // Where one before it fails, its own failure is nobody's.
    finished.catch(() => {})
    finishing.push(finished)
    position += prepared.length
    isTurnOver = prepared.length < rows.length || job.isTurnOver
  }
  try {
    while (job.done < job.row.total) {
      while (finishing.length < AT_ONCE && position < job.row.total && !isTurnOver) await begin()
      const outcomes = await finishing[0]
      finishing.shift()
      if (outcomes) await job.tell(outcomes, areWritten)
      if (finishing.length > 0 || !isTurnOver) continue
      await job.turn()
      isTurnOver = false
    }
  } catch (error) {
    // What is written down is told, as far as it follows on what was told before; of a job that nobody goes on with, all.
    const rest = await Promise.allSettled(finishing)
    const isOver = error instanceof JobEnded && (await job.isCancelled().catch(() => false))
    const fault = isOver ? -1 : rest.findIndex(({ status }) => status === 'rejected')
    for (const result of fault === -1 ? rest : rest.slice(0, fault)) {
      if (result.status === 'fulfilled') await job.tell(result.value, areWritten).catch(() => {})
    }
    throw error
  }
}
