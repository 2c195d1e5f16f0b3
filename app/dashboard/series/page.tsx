import type { Metadata } from 'next'
import { requireAccount } from '@/app/_server/account'
import { shortHosts } from '@/app/_server/hosts'
import { getTranslations } from '@/app/_server/locale'
import { ProvideMessages } from '@/app/_server/messages'
import { SeriesPage } from '@/app/dashboard/series/_parts/series-page'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('series')
  return { title: t('title') }
}

export default async function DashboardSeriesPage() {
  await requireAccount('/dashboard/series')
  const [host] = await shortHosts()
  return (
    <ProvideMessages of={['links', 'series']}>
      <SeriesPage keepsNumbers={host?.spoken === true} />
    </ProvideMessages>
  )
}
