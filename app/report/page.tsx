import type { Metadata } from 'next'
import { sentForm } from '@/app/_server/form'
import type { SearchParams } from '@/app/_server/query'
import { ReportPage } from '@/app/report/_parts/report-page'

export const metadata: Metadata = { title: 'Report a link', robots: { index: false } }

export default async function ReportALinkPage({ searchParams }: { searchParams: SearchParams }) {
  const { link } = await searchParams
  return (
    <div className="mx-auto max-w-xl pt-8 sm:pt-14">
      <ReportPage link={typeof link === 'string' ? link.slice(0, 2048) : ''} sent={await sentForm()} />
    </div>
  )
}
