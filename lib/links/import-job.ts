import { z } from 'zod'
import { failedRow, type JobKind, type RowOutcome, type RunningJob } from '@/lib/jobs/runner'
import type { JobView } from '@/lib/jobs/schemas'
import { createJob } from '@/lib/jobs/store'
import { validate } from '@/lib/tools/validate'
import type { Account, Actor, LinkContext } from './context'
import { createLink } from './create'
import { idempotencyOf, replay } from './idempotency'
import { COLUMN_NAMES, fieldsOf, type Row, readSheet } from './import-rows'
import { CreateLink } from './schemas'

const ImportInput = z.object({ rows: z.array(z.partialRecord(z.enum(COLUMN_NAMES), z.string())) })
type ImportInput = z.infer<typeof ImportInput>

/**
 * Queues the making of all links of a list.
 * @param text CSV, as `readSheet` takes it
 * @throws TerseError 'bad_request', 'validation_failed' or 'unavailable'; nothing is queued then
 */
export function queueImport(ctx: LinkContext, account: Account, text: string): Promise<JobView> {
  const { rows, unknown } = readSheet(text)
  const links = `${rows.length.toLocaleString('en')} ${rows.length === 1 ? 'link' : 'links'}`
  const without = unknown.length === 0 ? '' : `, without what is in ${unknown.map((name) => `“${name}”`).join(', ')}`
  const input: ImportInput = { rows }
  return createJob(ctx, account, { kind: 'import', title: `Import ${links}${without}`, input, total: rows.length })
}

/** Each row is made as a request for it alone would make it. Begun again after a crash, none is made twice. */
export const importKind: JobKind<LinkContext, ImportInput> = {
  input: ImportInput,
  run: (ctx, job) => job.each(job.input.rows, (row, position) => oneRow(ctx, job, row, position)),
}

async function oneRow(ctx: LinkContext, job: RunningJob<ImportInput>, row: Row, position: number): Promise<RowOutcome> {
  const target = row.code ?? row.url ?? ''
  const actor: Actor = { account: null, ownerId: job.userId, scope: 'write', manageToken: null }
  const once = idempotencyOf(ctx.config.APP_SECRET, String(position), `job ${job.row.id}`, row)
  try {
    const before = await replay(ctx, once)
    if (before) return { target: `${before.domain}/${before.code}`, outcome: 'done' }
    const { link } = await createLink(ctx, actor, validate(CreateLink, fieldsOf(row)), once)
    return { target: link.fullShortUrl, outcome: 'done' }
  } catch (error) {
    return failedRow(target, error)
  }
}
