import { adminPage } from '@/app/admin/_parts/admin-page'
import { SystemPage } from '@/app/admin/system/_parts/system-page'

export const metadata = { title: 'System' }

export default adminPage('/admin/system', SystemPage)
