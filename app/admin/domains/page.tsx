import { adminPage } from '@/app/admin/_parts/admin-page'
import { DomainsPage } from '@/app/admin/domains/_parts/domains-page'

export const metadata = { title: 'Domains' }

export default adminPage('/admin/domains', DomainsPage)
