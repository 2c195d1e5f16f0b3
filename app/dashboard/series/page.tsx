import type { Metadata } from 'next'
import { requireAccount } from '@/app/_server/account'
import { getTranslations } from '@/app/_server/locale'
import { ProvideMessages } from '@/app/_server/messages'
import { SeriesPage } from '@/app/dashboard/series/_parts/series-page'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('series')
  return { title: t('title') }
}

export default async function DashboardSeriesPage() {
  await requireAccount('/dashboard/series')
  return (
    <ProvideMessages of={['links', 'series']}>
      <SeriesPage />
    </ProvideMessages>
  )
}
