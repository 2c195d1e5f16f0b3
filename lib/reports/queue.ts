import type { z } from 'zod'
import type { Report } from '@/lib/db/generated/client'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import type { LinkContext } from '@/lib/links/context'
import { ownersOf } from '@/lib/links/list-all'
import { fromSnapshot } from '@/lib/links/snapshot'
import { codeIn, hostOf, stateOf } from '@/lib/links/view'
import { behindId, byId, pageOf } from '@/lib/tools/cursor'
import type { ReportsQuery, ReportView } from './schemas'

/** Reports that are shown with a link, or with another report of it. */
const SHOWN = 50

type Context = Pick<LinkContext, 'db' | 'domains'>

/**
 * Reports, those that wait longest first where they are open, else the latest first.
 * @throws TerseError 'bad_request', 'unavailable'
 */
export async function listReports(
  ctx: Context,
  { limit, cursor, state, reason }: z.output<typeof ReportsQuery>,
): Promise<{ reports: ReportView[]; nextCursor: string | null }> {
  const [order, beyond] = state === 'open' ? (['asc', 'gt'] as const) : (['desc', 'lt'] as const)
  const where = {
    ...behindId(cursor, beyond),
    ...(state === undefined ? {} : { state }),
    ...(reason === undefined ? {} : { reason }),
  }
  const rows = await ctx.db.read((client) => client.report.findMany({ where, orderBy: { id: order }, take: limit + 1 }))
  const { page, nextCursor } = pageOf(rows, limit, byId)
  return {
    reports: await toReportViews(ctx, page),
    nextCursor,
  }
}

/** @throws TerseError 'not_found', 'unavailable' */
export async function findReport(ctx: Pick<Context, 'db'>, id: bigint): Promise<Report> {
  const row = await ctx.db.read((client) => client.report.findUnique({ where: { id } }))
  if (!row) throw new TerseError('not_found', say('api.report.none'))
  return row
}

/** The latest reports of one short URL. @param but one of them, which is left out */
export async function reportsOf(ctx: Context, fullShortUrl: string, but?: bigint): Promise<ReportView[]> {
  const where = { fullShortUrl, ...(but === undefined ? {} : { id: { not: but } }) }
  const rows = await ctx.db.read((client) => client.report.findMany({ where, orderBy: { id: 'desc' }, take: SHOWN }))
  return toReportViews(ctx, rows)
}

export async function toReportViews(ctx: Context, rows: readonly Report[]): Promise<ReportView[]> {
  const urls = [...new Set(rows.map((row) => row.fullShortUrl))]
  const ids = rows.flatMap((row) => row.linkId ?? [])
  const [links, deleted, counts] = await ctx.db.read((client) =>
    Promise.all([
      client.link.findMany({ where: { id: { in: ids } } }),
      client.deletedLink.findMany({ where: { id: { in: ids } } }),
      client.report.groupBy({ by: ['fullShortUrl'], where: { fullShortUrl: { in: urls } }, _count: true }),
    ]),
  )
  const linkById = new Map(links.map((link) => [link.id, link]))
  const gone = new Map(deleted.map((link) => [link.id, link]))
  const accounts = await ownersOf(
    ctx,
    [...links, ...deleted].map(({ ownerId }) => ownerId).concat(rows.map(({ handledBy }) => handledBy)),
  )
  const accountOf = (id: string | null) => accounts.get(id ?? '') ?? null
  const countOf = new Map(counts.map((row) => [row.fullShortUrl, row._count]))
  return rows.map((row) => {
    const link = row.linkId === null ? undefined : linkById.get(row.linkId)
    const removed = row.linkId === null ? undefined : gone.get(row.linkId)
    return {
      id: row.id.toString(),
      reference: row.reference,
      shortUrl: ctx.domains.shortUrl(hostOf(row.fullShortUrl), codeIn(row.fullShortUrl)),
      link: link
        ? { id: link.id.toString(), title: link.title, state: stateOf(link), url: link.url, owner: accountOf(link.ownerId) }
        : removed
          ? {
              id: removed.id.toString(),
              title: fromSnapshot(removed.snapshot).title,
              state: 'deleted',
              url: row.url,
              owner: accountOf(removed.ownerId),
            }
          : null,
      url: row.url,
      reason: row.reason as ReportView['reason'],
      details: row.details,
      email: row.email,
      state: row.state as ReportView['state'],
      answer: row.answer,
      handledBy: accountOf(row.handledBy),
      handledAt: row.handledAt?.toISOString() ?? null,
      createdAt: row.createdAt.toISOString(),
      others: (countOf.get(row.fullShortUrl) ?? 1) - 1,
    }
  })
}
