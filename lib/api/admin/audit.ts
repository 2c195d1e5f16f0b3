import { listAudit } from '@/lib/admin/audit'
import { AuditPage, AuditQuery } from '@/lib/admin/schemas'
import { endpoint } from '../endpoint'
import { json } from '../problem'
import { LOOKING } from './action'

export const getAudit = endpoint(
  {
    ...LOOKING,
    path: '/api/v1/admin/audit',
    summary: 'Read the audit log',
    query: AuditQuery,
    answers: { 200: ['A page, newest first', AuditPage] },
  },
  async ({ ctx, query }) => json(200, await listAudit(ctx, query)),
)
