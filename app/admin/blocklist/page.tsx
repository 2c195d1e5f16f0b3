import { adminPage } from '@/app/admin/_parts/admin-page'
import { BlocklistPage } from '@/app/admin/blocklist/_parts/blocklist-page'

export const metadata = { title: 'Blocklist' }

export default adminPage('/admin/blocklist', BlocklistPage)
