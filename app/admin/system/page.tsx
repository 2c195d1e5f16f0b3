import type { Metadata } from 'next'
import { Suspense } from 'react'
import { requireAdmin } from '@/app/_server/account'
import { SystemPage } from '@/app/admin/system/_parts/system-page'

export const metadata: Metadata = { title: 'System', robots: { index: false } }

export default async function AdminSystemPage() {
  await requireAdmin('/admin/system')
  return (
    // The address's query is known to the browser only.
    <Suspense>
      <SystemPage />
    </Suspense>
  )
}
