import { codeProblem } from '@/lib/codes/custom'
import { codeProblemOn } from '@/lib/codes/on-domain'
import { invalidField } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import type { JobView } from '@/lib/jobs/schemas'
import type { JobMaker } from '@/lib/jobs/store'
import { domainOf } from '@/lib/links/draft'
import { queueRows, requireImporter, requireImportRoom } from '@/lib/links/import-queue'
import { permitNew } from '@/lib/links/permit'
import type { Row } from '@/lib/links/properties'
import { CreateLink } from '@/lib/links/schemas'
import { validate } from '@/lib/tools/validate'
import type { SeriesContext } from './context'
import { clock, drawInto, takeFromBudget, textsOf, writeDown } from './draw'
import type { Series } from './engine'
import { writeNumber } from './format'
import { PLACE, type SeriesLinks } from './schemas'
import { findSeries } from './store'
import { MAX_NUMBER } from './values'

/**
 * Draws numbers and queues creating a link for each, whose code is the number. The numbers are drawn by the transaction that
 * queues the job: both happen, or neither. What came of each link, the job tells, as that of an import.
 * @throws TerseError 'not_found', 'validation_failed' for a template or numbers that no link can have, 'forbidden', 'conflict',
 *   'rate_limited', 'unavailable'; then nothing is drawn
 */
export async function createSeriesLinks(
  ctx: SeriesContext,
  by: JobMaker,
  name: string,
  { count, url, title, domain }: SeriesLinks,
): Promise<JobView> {
  await requireImporter(ctx, by)
  const series = await findSeries(ctx, by.account, name)
  await domainOf(ctx, domain)
  const rowOf = (number: string): Row => ({
    url: url.replaceAll(PLACE, number),
    code: number,
    ...(title !== '' && { title: title.replaceAll(PLACE, number) }),
    ...(domain !== undefined && { domain }),
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
      beside: (tx) =>
        writeDown(
          (sql) => tx.$executeRawUnsafe(sql),
          (sql) => tx.$queryRawUnsafe(sql),
          series,
          batch,
        ),
    }),
  )
}

/** Refuses before anything is drawn what would be refused of every link. */
function requireUsable(ctx: SeriesContext, by: JobMaker, { domain, ...row }: Row, number: string): void {
  const { host } = ctx.domains.find(domain ?? ctx.domains.defaultHost) ?? { host: '' }
  const problem = codeProblem(number) ?? codeProblemOn(number, ctx.domains.codeRules(host))
  if (problem) throw invalidField('', say('api.series.noCode', { number, problem }))
  const input = validate(CreateLink, { ...row, domain })
  permitNew(ctx, { ownerId: by.account.id, origin: { address: by.address, isJob: true } }, input)
}

/** A number of a series than which none is longer. */
function longestNumber({ definition }: Series, at: Date): string {
  const greatest = 'max' in definition ? definition.max : 'size' in definition ? definition.size : MAX_NUMBER
  return writeNumber(definition.format, greatest, at)
}
