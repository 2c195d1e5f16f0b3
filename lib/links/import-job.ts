import { z } from 'zod'
import { isUniqueViolation } from '@/lib/db/errors'
import { isTerseError } from '@/lib/errors'
import type { JobKind } from '@/lib/jobs/runner'
import { failedRow, type RowOutcome, type RunningJob } from '@/lib/jobs/running-job'
import type { JobView } from '@/lib/jobs/schemas'
import { createJob, inParts, type JobMaker, requireRoom } from '@/lib/jobs/store'
import { validate } from '@/lib/tools/validate'
import type { LinkContext } from './context'
import { createLink } from './create'
import { idempotencyOf, replay } from './idempotency'
import { COLUMN_NAMES, fieldsOf, type Row, readSheet } from './import-rows'
import { requireMaker } from './permit'
import { CreateLink } from './schemas'

const ImportRow = z.partialRecord(z.enum(COLUMN_NAMES), z.string())
/** Those queued by an earlier release hold their rows here. */
const ImportInput = z.object({ rows: z.array(ImportRow).optional() })
type ImportInput = z.infer<typeof ImportInput>

/**
 * Queues the making of all links of a list.
 * @param text CSV, as `readSheet` takes it
 * @throws TerseError 'bad_request', 'validation_failed', 'forbidden', 'conflict' or 'unavailable'; nothing is queued then
 */
export async function queueImport(ctx: LinkContext, by: JobMaker, text: string): Promise<JobView> {
  requireMaker(ctx, { ownerId: by.account.id, origin: { address: by.address, isJob: true } })
  await requireRoom(ctx, by.account)
  const { rows, unknown } = await readSheet(text)
  const links = `${rows.length.toLocaleString('en')} ${rows.length === 1 ? 'link' : 'links'}`
  const without = unknown.length === 0 ? '' : `, without what is in ${unknown.map((name) => `“${name}”`).join(', ')}`
  const job = { kind: 'import', title: `Import ${links}${without}`, input: {}, total: rows.length } as const
  return createJob(ctx, by, { ...job, parts: await inParts(rows) })
}

/** Each row is made as a request for it alone would make it. Begun again, at its next turn or after a crash, none is made twice. */
export const importKind: JobKind<LinkContext, ImportInput> = {
  input: ImportInput,
  run: (ctx, job) => {
    const deal = (row: Row, position: number) => oneRow(job.within(ctx), job, row, position)
    return job.input.rows ? job.each(job.input.rows, deal) : job.eachInParts(ImportRow, deal)
  },
}

async function oneRow(ctx: LinkContext, job: RunningJob<ImportInput>, row: Row, position: number): Promise<RowOutcome> {
  const once = idempotencyOf(ctx.config.APP_SECRET, String(position), `job ${job.row.id}`, row)
  const made = async (): Promise<RowOutcome | null> => {
    const before = await replay(ctx, once)
    return before && { target: `${before.domain}/${before.code}`, outcome: 'done' }
  }
  const before = await made()
  if (before) return before
  try {
    const { link } = await createLink(ctx, job.actor, validate(CreateLink, fieldsOf(row)), once)
    return { target: link.fullShortUrl, outcome: 'done' }
  } catch (error) {
    // Another process had this job until now, and was making this very link: what it made is what came of the row.
    const lost = isUniqueViolation(error) || (isTerseError(error) && error.code === 'conflict')
    return (lost ? await made() : null) ?? failedRow(row.code ?? row.url ?? '', error)
  }
}
