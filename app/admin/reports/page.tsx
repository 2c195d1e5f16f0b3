import type { Metadata } from 'next'
import { Suspense } from 'react'
import { requireAdmin } from '@/app/_server/account'
import { ReportsPage } from '@/app/admin/reports/_parts/reports-page'

export const metadata: Metadata = { title: 'Reports', robots: { index: false } }

export default async function AdminReportsPage() {
  await requireAdmin('/admin/reports')
  return (
    // The address's query is known to the browser only.
    <Suspense>
      <ReportsPage />
    </Suspense>
  )
}
