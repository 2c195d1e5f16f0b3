import { createReport } from '@/lib/reports/create'
import { CreateReport, ReportReceipt } from '@/lib/reports/schemas'
import { endpoint } from './endpoint'
import { json } from './problem'

export const postReport = endpoint(
  'POST /api/v1/reports',
  {
    id: 'createReport',
    summary: 'Report a link',
    description: 'The reference in the answer tells nothing of other reports. The operator of this site reads it.',
    auth: 'anyone',
    limit: 'report',
    body: CreateReport,
    answers: { 201: ['Taken', ReportReceipt] },
  },
  async ({ ctx, body, client }) => json(201, { reference: await createReport(ctx, body, client) }),
)
