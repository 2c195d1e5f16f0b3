import { adminPage } from '@/app/admin/_parts/admin-page'
import { AuditPage } from '@/app/admin/audit/_parts/audit-page'

export const metadata = { title: 'Audit log' }

export default adminPage('/admin/audit', AuditPage)
