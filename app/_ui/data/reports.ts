import type { z } from 'zod'
import { type CreateReport, ReportReceipt } from '@/lib/reports/schemas'
import { type Result, send } from './http'

export type ReportBody = z.input<typeof CreateReport>

export function createReport(body: ReportBody): Promise<Result<z.infer<typeof ReportReceipt>>> {
  return send('POST', '/api/v1/reports', ReportReceipt, { body })
}
