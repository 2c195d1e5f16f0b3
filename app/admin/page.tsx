import { AdminOverview } from '@/app/admin/_parts/admin-overview'
import { adminPage } from '@/app/admin/_parts/admin-page'

export const metadata = { title: 'Overview' }

export default adminPage('/admin', AdminOverview)
