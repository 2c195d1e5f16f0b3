import type { Metadata } from 'next'
import { Suspense } from 'react'
import { requireAdmin } from '@/app/_server/account'
import { BlocklistPage } from '@/app/admin/blocklist/_parts/blocklist-page'

export const metadata: Metadata = { title: 'Blocklist', robots: { index: false } }

export default async function AdminBlocklistPage() {
  await requireAdmin('/admin/blocklist')
  return (
    // The address's query is known to the browser only.
    <Suspense>
      <BlocklistPage />
    </Suspense>
  )
}
