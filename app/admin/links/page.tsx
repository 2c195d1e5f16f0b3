import { adminMetadata, adminPage } from '@/app/admin/_parts/admin-page'
import { LinksPage } from '@/app/admin/links/_parts/links-page'

export const generateMetadata = adminMetadata('links')

export default adminPage('links', LinksPage)
