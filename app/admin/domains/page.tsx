import { adminMetadata, adminPage } from '@/app/admin/_parts/admin-page'
import { DomainsPage } from '@/app/admin/domains/_parts/domains-page'

export const generateMetadata = adminMetadata('domains')

export default adminPage('domains', DomainsPage)
