import type { Metadata } from 'next'
import { Suspense } from 'react'
import { requireAccount } from '@/app/_server/account'
import { OwnOverview } from '@/app/dashboard/overview/_parts/own-overview'

export const metadata: Metadata = { title: 'Overview' }

export default async function DashboardOverviewPage() {
  await requireAccount('/dashboard/overview')
  return (
    <Suspense>
      <OwnOverview />
    </Suspense>
  )
}
