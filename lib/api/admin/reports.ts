import { ReportsQuery, ResolveReport } from '@/lib/admin/schemas'
import { TerseError } from '@/lib/errors'
import { listReports, reportDetail } from '@/lib/reports/queue'
import { resolveReport } from '@/lib/reports/resolve'
import { json, route } from '../route'
import { adminAction } from './action'

export const getReports = route({ auth: 'admin', proof: 'key', limit: 'account', query: ReportsQuery }, async ({ ctx, query }) =>
  json(200, await listReports(ctx, query)),
)

export const getReport = route({ auth: 'admin', proof: 'key', limit: 'account' }, async ({ ctx, params }) =>
  json(200, await reportDetail(ctx, idOf(params))),
)

export const postResolution = adminAction(
  { proof: 'key', action: ({ body }) => `report.${body.action}`, body: ResolveReport },
  async ({ ctx, account, params, body }) => {
    const [report, ...others] = await resolveReport(ctx, account, idOf(params), body)
    if (!report) throw new TerseError('not_found', 'There is no such report.')
    const references = [report, ...others].map(({ reference }) => reference)
    const details = { references, reason: body.reason, answer: body.answer }
    return { target: report.fullShortUrl, details, answer: await reportDetail(ctx, report.id) }
  },
)

function idOf({ id = '' }: Record<string, string>): bigint {
  if (!/^\d{1,19}$/.test(id)) throw new TerseError('not_found', 'There is no such report.')
  return BigInt(id)
}
