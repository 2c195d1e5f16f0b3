import { adminMetadata, adminPage } from '@/app/admin/_parts/admin-page'
import { BlocklistPage } from '@/app/admin/blocklist/_parts/blocklist-page'

export const generateMetadata = adminMetadata('blocklist')

export default adminPage('blocklist', BlocklistPage)
