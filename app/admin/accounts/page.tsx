import type { Metadata } from 'next'
import { Suspense } from 'react'
import { requireAdmin } from '@/app/_server/account'
import { AccountsPage } from '@/app/admin/accounts/_parts/accounts-page'

export const metadata: Metadata = { title: 'Accounts', robots: { index: false } }

export default async function AdminAccountsPage() {
  await requireAdmin('/admin/accounts')
  return (
    // The address's query is known to the browser only.
    <Suspense>
      <AccountsPage />
    </Suspense>
  )
}
