import { createReport } from '@/lib/reports/create'
import { CreateReport } from '@/lib/reports/schemas'
import { json, route } from './route'

export const postReport = route({ auth: 'anyone', limit: 'report', body: CreateReport }, async ({ ctx, body, client }) =>
  json(201, { reference: await createReport(ctx, body, client) }),
)
