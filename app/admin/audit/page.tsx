import type { Metadata } from 'next'
import { Suspense } from 'react'
import { requireAdmin } from '@/app/_server/account'
import { AuditPage } from '@/app/admin/audit/_parts/audit-page'

export const metadata: Metadata = { title: 'Audit log', robots: { index: false } }

export default async function AdminAuditPage() {
  await requireAdmin('/admin/audit')
  return (
    // The address's query is known to the browser only.
    <Suspense>
      <AuditPage />
    </Suspense>
  )
}
