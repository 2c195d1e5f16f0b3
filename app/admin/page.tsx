import { AdminOverview } from '@/app/admin/_parts/admin-overview'
import { adminMetadata, adminPage } from '@/app/admin/_parts/admin-page'

export const generateMetadata = adminMetadata('overview')

export default adminPage('overview', AdminOverview)
