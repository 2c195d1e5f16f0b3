import { z } from 'zod'
import { say } from '@/lib/i18n/message'
import type { JobKind } from '@/lib/jobs/runner'
import { failedRow, type RowOutcome, type RunningJob } from '@/lib/jobs/running-job'
import type { JobView } from '@/lib/jobs/schemas'
import { createJob, inParts, type JobMaker, requireRoom } from '@/lib/jobs/store'
import { toLine } from '@/lib/tools/line'
import { validate } from '@/lib/tools/validate'
import type { LinkContext } from './context'
import { createLink } from './create'
import { createOnce } from './create-once'
import { idempotencyOf } from './idempotency'
import { COLUMN_NAMES, fieldsOf, type Row, readSheet } from './import-rows'
import { requireMaker } from './permit'
import { CreateLink } from './schemas'

const ImportRow = z.partialRecord(z.enum(COLUMN_NAMES), z.string())

/**
 * Queues the making of all links of a list.
 * @param text CSV, as `readSheet` takes it
 * @throws TerseError 'bad_request', 'validation_failed', 'forbidden', 'conflict' or 'unavailable'; nothing is queued then
 */
export async function queueImport(ctx: LinkContext, by: JobMaker, text: string): Promise<JobView> {
  requireMaker(ctx, { ownerId: by.account.id, origin: { address: by.address, isJob: true } })
  await requireRoom(ctx, by.account)
  const { rows, unknown } = await readSheet(text)
  const columns = toLine(unknown.map((name) => `“${name}”`).join(', '))
  const title = say(columns === '' ? 'api.job.import' : 'api.job.importWithout', { count: rows.length, columns })
  const job = { kind: 'import', title, input: {}, total: rows.length } as const
  return createJob(ctx, by, { ...job, parts: await inParts(rows) })
}

/**
 * Each row is made as a request for it alone would make it. Begun again, at its next turn or after a crash, none is made twice.
 */
export const importKind: JobKind<LinkContext, object> = {
  input: z.object({}),
  run: (ctx, job) => job.eachInParts(ImportRow, (row, position) => oneRow(job.within(ctx), job, row, position)),
}

async function oneRow(ctx: LinkContext, job: RunningJob<object>, row: Row, position: number): Promise<RowOutcome> {
  // Another process may have had this job until now, and be making this very link: what it makes is what came of the row.
  const named = idempotencyOf(ctx.config.APP_SECRET, String(position), `job ${job.row.id}`, row)
  try {
    const { view } = await createOnce(ctx, named, (once) => createLink(ctx, job.actor, validate(CreateLink, fieldsOf(row)), once))
    return { target: `${view.domain}/${view.code}`, outcome: 'done' }
  } catch (error) {
    return failedRow(row.code ?? row.url ?? '', error)
  }
}
