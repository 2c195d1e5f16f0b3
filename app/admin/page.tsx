import type { Metadata } from 'next'
import { Suspense } from 'react'
import { requireAdmin } from '@/app/_server/account'
import { OverviewPage } from '@/app/admin/_parts/overview-page'

export const metadata: Metadata = { title: 'Overview', robots: { index: false } }

export default async function AdminOverviewPage() {
  await requireAdmin('/admin')
  return (
    // The address's query is known to the browser only.
    <Suspense>
      <OverviewPage />
    </Suspense>
  )
}
