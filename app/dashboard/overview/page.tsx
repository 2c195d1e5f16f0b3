import type { Metadata } from 'next'
import { Suspense } from 'react'
import { requireAccount } from '@/app/_server/account'
import { getTranslations } from '@/app/_server/locale'
import { ProvideMessages } from '@/app/_server/messages'
import { OwnOverview } from '@/app/dashboard/overview/_parts/own-overview'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('overview')
  return { title: t('title') }
}

export default async function DashboardOverviewPage() {
  await requireAccount('/dashboard/overview')
  return (
    <ProvideMessages of={['overview']}>
      <Suspense>
        <OwnOverview />
      </Suspense>
    </ProvideMessages>
  )
}
