import type { Metadata } from 'next'
import { Suspense } from 'react'
import { requireAdmin } from '@/app/_server/account'
import { LinksPage } from '@/app/admin/links/_parts/links-page'

export const metadata: Metadata = { title: 'All links', robots: { index: false } }

export default async function AdminLinksPage() {
  await requireAdmin('/admin/links')
  return (
    // The address's query is known to the browser only.
    <Suspense>
      <LinksPage />
    </Suspense>
  )
}
