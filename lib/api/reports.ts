import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { createReport } from '@/lib/reports/create'
import { reportDetail } from '@/lib/reports/detail'
import { listReports } from '@/lib/reports/queue'
import { resolveReport } from '@/lib/reports/resolve'
import { CreateReport, ReportDetail, ReportPage, ReportReceipt, ReportsQuery, ResolveReport } from '@/lib/reports/schemas'
import { adminAction, adminList, LOOKING } from './admin-action'
import { endpoint } from './endpoint'
import { idOf } from './path'

export const postReport = endpoint(
  'POST /api/v1/reports',
  {
    id: 'createReport',
    summary: 'Report a link',
    description: 'Sends a report to the admins of this site. The reference in the response reveals nothing about other reports.',
    auth: 'anyone',
    limit: 'report',
    body: CreateReport,
    answers: { 201: ['The report’s reference', ReportReceipt] },
  },
  async ({ ctx, body, client }) => ({ reference: await createReport(ctx, body, client) }),
)

export const getReports = adminList('GET /api/v1/admin/reports', 'List reports', ReportsQuery, ReportPage, listReports)

export const getReport = endpoint(
  'GET /api/v1/admin/reports/{id}',
  {
    ...LOOKING,
    summary: 'Retrieve a report',
    answers: { 200: ['The report, other reports of the same link, and the link’s history', ReportDetail] },
  },
  ({ ctx, params }) => reportDetail(ctx, idOf(params, 'report')),
)

export const postResolution = adminAction(
  'POST /api/v1/admin/reports/{id}',
  {
    summary: 'Resolve a report',
    proof: 'key',
    action: ({ body }) => `report.${body.action}`,
    body: ResolveReport,
    answers: { 200: ['The updated report', ReportDetail] },
    errors: [409],
  },
  async ({ ctx, account, locale, params, body }) => {
    const [report, ...others] = await resolveReport(ctx, account, idOf(params, 'report'), body, locale)
    if (!report) throw new TerseError('not_found', say('api.report.none'))
    const references = [report, ...others].map(({ reference }) => reference)
    const details = { references, reason: body.reason, answer: body.answer }
    return { target: report.fullShortUrl, details, answer: await reportDetail(ctx, report.id) }
  },
)
