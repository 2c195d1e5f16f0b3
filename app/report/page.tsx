import type { Metadata } from 'next'
import { sentForm } from '@/app/_server/form'
import { getTranslations } from '@/app/_server/locale'
import { ProvideMessages } from '@/app/_server/messages'
import type { SearchParams } from '@/app/_server/query'
import { ReportPage } from '@/app/report/_parts/report-page'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('report')
  return { title: t('title'), robots: { index: false } }
}

export default async function ReportALinkPage({ searchParams }: { searchParams: SearchParams }) {
  const { link } = await searchParams
  return (
    <div className="mx-auto max-w-xl pt-8 sm:pt-14">
      <ProvideMessages of={['report']}>
        <ReportPage link={typeof link === 'string' ? link.slice(0, 2048) : ''} sent={await sentForm()} />
      </ProvideMessages>
    </div>
  )
}
