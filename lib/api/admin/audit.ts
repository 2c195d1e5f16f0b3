import { listAudit } from '@/lib/admin/audit'
import { AuditQuery } from '@/lib/admin/schemas'
import { json, route } from '../route'

export const getAudit = route({ auth: 'admin', proof: 'key', limit: 'account', query: AuditQuery }, async ({ ctx, query }) =>
  json(200, await listAudit(ctx, query)),
)
