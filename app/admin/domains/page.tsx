import type { Metadata } from 'next'
import { Suspense } from 'react'
import { requireAdmin } from '@/app/_server/account'
import { DomainsPage } from '@/app/admin/domains/_parts/domains-page'

export const metadata: Metadata = { title: 'Domains', robots: { index: false } }

export default async function AdminDomainsPage() {
  await requireAdmin('/admin/domains')
  return (
    // The address's query is known to the browser only.
    <Suspense>
      <DomainsPage />
    </Suspense>
  )
}
