import { codeProblem } from '@/lib/codes/custom'
import { codeProblemOn } from '@/lib/codes/on-domain'
import type { Transaction } from '@/lib/db/client'
import { invalidField } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { writer } from '@/lib/i18n/translate'
import type { JobView } from '@/lib/jobs/schemas'
import { findJob, type JobMaker, toJobView } from '@/lib/jobs/store'
import { domainOf } from '@/lib/links/draft'
import { answerOnce, type Idempotency } from '@/lib/links/idempotency'
import { queueRows, requireImporter, requireImportRoom } from '@/lib/links/import-queue'
import { permitNew } from '@/lib/links/permit'
import { fieldsOf, type Row, rowOfFields } from '@/lib/links/properties'
import { CreateLink } from '@/lib/links/schemas'
import { validate } from '@/lib/tools/validate'
import type { SeriesContext } from './context'
import { clock, drawInto, ofSeries, takeFromBudget, textsOf, writeDown } from './draw'
import type { Series } from './engine'
import { writeNumber } from './format'
import { PLACE, type SeriesLinks } from './schemas'
import { findSeries } from './store'
import { MAX_NUMBER } from './values'

/**
 * Draws numbers and queues creating a link for each, whose code is the number. The numbers are drawn by the transaction that
 * queues the job: both happen, or neither. What came of each link, the job tells, as that of an import.
 * @param named names the request, which gets the same job when it comes again; null: each is a new one
 * @throws TerseError 'not_found', 'validation_failed' for a template or numbers that no link can have, or a key that was used for
 *   another request, 'forbidden', 'conflict', 'rate_limited', 'unavailable'; then nothing is drawn
 */
export async function createSeriesLinks(
  ctx: SeriesContext,
  by: JobMaker,
  name: string,
  input: SeriesLinks,
  named: Idempotency | null = null,
): Promise<{ job: JobView; isReplayed: boolean }> {
  await requireImporter(ctx, by)
  const series = await findSeries(ctx, by.account, name)
  let queued: JobView | undefined
  const { number, isReplayed } = await answerOnce<{ number: string }>(
    ctx,
    named && ofSeries(named, series),
    async (_keep, claim) => {
      queued = await queueLinks(ctx, by, series, input, async (tx, number) => (await claim(tx))({ number }))
      return { number: queued.number }
    },
  )
  const job = queued ?? toJobView(await findJob(ctx, by.account.id, number), by.locale && writer(by.locale))
  return { job, isReplayed }
}

/** @param note is called with the number of the job, first of all in the transaction that queues it */
async function queueLinks(
  ctx: SeriesContext,
  by: JobMaker,
  series: Series,
  { count, url, title, ...others }: SeriesLinks,
  note: (tx: Transaction, number: string) => Promise<void>,
): Promise<JobView> {
  await domainOf(ctx, others.domain)
  const given = rowOfFields(others)
  const rowOf = (number: string): Row => ({
    ...rowOfFields({ url: url.replaceAll(PLACE, number), code: number, title: title.replaceAll(PLACE, number) }),
    ...given,
  })
  const at = await clock(ctx)
  const seen = await ctx.series.of(series).look(1, at)
  const [next] = textsOf(ctx, series, seen)
  if (next !== undefined) requireUsable(ctx, by, rowOf(next), next)
  const longest = longestNumber(series, at)
  await requireImportRoom(ctx, by, { rows: count, each: Buffer.byteLength(JSON.stringify(rowOf(longest))) })
  await takeFromBudget(ctx, by.account, count)
  return drawInto(ctx, series, count, (batch) =>
    queueRows(ctx, by, {
      rows: textsOf(ctx, series, batch).map(rowOf),
      title: say('api.job.seriesLinks', { count, series: series.name }),
      beside: async (tx, number) => {
        await note(tx, number)
        await writeDown(
          (sql) => tx.$executeRawUnsafe(sql),
          (sql) => tx.$queryRawUnsafe(sql),
          series,
          batch,
        )
      },
    }),
  )
}

/** Refuses before anything is drawn what would be refused of every link. */
function requireUsable(ctx: SeriesContext, by: JobMaker, row: Row, number: string): void {
  const { host } = ctx.domains.find(row.domain ?? ctx.domains.defaultHost) ?? { host: '' }
  const problem = codeProblem(number) ?? codeProblemOn(number, ctx.domains.codeRules(host))
  if (problem) throw invalidField('', say('api.series.noCode', { number, problem }))
  const input = validate(CreateLink, fieldsOf(row))
  permitNew(ctx, { ownerId: by.account.id, origin: { address: by.address, isJob: true } }, input)
}

/** A number of a series than which none is longer. */
function longestNumber({ definition }: Series, at: Date): string {
  const greatest = 'max' in definition ? definition.max : 'size' in definition ? definition.size : MAX_NUMBER
  return writeNumber(definition.format, greatest, at)
}
