import type { z } from 'zod'
import { historyOf } from '@/lib/audit/audit'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import type { LinkContext } from '@/lib/links/context'
import { findAny, isDeleted } from '@/lib/links/find'
import { ownersOf } from '@/lib/links/list-all'
import { fromSnapshot } from '@/lib/links/snapshot'
import { toView } from '@/lib/links/view'
import { findReport, reportsOf, toReportViews } from './queue'
import type { AdminLinkDetail, ReportDetail } from './schemas'

/** One report, with what else is known of its link. @throws TerseError 'not_found', 'unavailable' */
export async function reportDetail(ctx: Pick<LinkContext, 'db' | 'domains'>, id: bigint): Promise<z.infer<typeof ReportDetail>> {
  const row = await findReport(ctx, id)
  const [[report], others, history] = await Promise.all([
    toReportViews(ctx, [row]),
    reportsOf(ctx, row.fullShortUrl, id),
    historyOf(ctx, row.fullShortUrl),
  ])
  if (!report) throw new TerseError('not_found', say('api.report.none'))
  return { report, others, history }
}

/**
 * What there is to know of one link, a deleted one too.
 * @throws TerseError 'not_found', 'unavailable'
 */
export async function linkDetail(ctx: LinkContext, id: bigint): Promise<z.infer<typeof AdminLinkDetail>> {
  const found = await findAny(ctx, id)
  const link = isDeleted(found) ? { ...fromSnapshot(found.snapshot), deletedAt: found.deletedAt } : found
  const [owners, reports, history] = await Promise.all([
    ownersOf(ctx, [link.ownerId]),
    reportsOf(ctx, link.fullShortUrl),
    historyOf(ctx, link.fullShortUrl),
  ])
  return { link: { ...toView(link, ctx.domains), owner: owners.get(link.ownerId ?? '') ?? null }, reports, history }
}
