import { adminMetadata, adminPage } from '@/app/admin/_parts/admin-page'
import { AccountsPage } from '@/app/admin/accounts/_parts/accounts-page'

export const generateMetadata = adminMetadata('accounts')

export default adminPage('accounts', AccountsPage)
