import { adminMetadata, adminPage } from '@/app/admin/_parts/admin-page'
import { AuditPage } from '@/app/admin/audit/_parts/audit-page'

export const generateMetadata = adminMetadata('audit')

export default adminPage('audit', AuditPage)
