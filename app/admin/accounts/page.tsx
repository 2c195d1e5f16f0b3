import { adminPage } from '@/app/admin/_parts/admin-page'
import { AccountsPage } from '@/app/admin/accounts/_parts/accounts-page'

export const metadata = { title: 'Accounts' }

export default adminPage('/admin/accounts', AccountsPage)
