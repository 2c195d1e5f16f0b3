import { adminPage } from '@/app/admin/_parts/admin-page'
import { ReportsPage } from '@/app/admin/reports/_parts/reports-page'

export const metadata = { title: 'Reports' }

export default adminPage('/admin/reports', ReportsPage)
