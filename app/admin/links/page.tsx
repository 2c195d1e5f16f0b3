import { adminPage } from '@/app/admin/_parts/admin-page'
import { LinksPage } from '@/app/admin/links/_parts/links-page'

export const metadata = { title: 'All links' }

export default adminPage('/admin/links', LinksPage)
