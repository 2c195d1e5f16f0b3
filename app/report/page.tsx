import type { Metadata } from 'next'
import { sentForm } from '@/app/_server/form'
import { ReportPage } from '@/app/report/_parts/report-page'

export const metadata: Metadata = { title: 'Report a link', robots: { index: false } }

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function ReportALinkPage({ searchParams }: Props) {
  const { link } = await searchParams
  return (
    <div className="mx-auto max-w-xl pt-8 sm:pt-14">
      <ReportPage link={typeof link === 'string' ? link.slice(0, 2048) : ''} sent={await sentForm()} />
    </div>
  )
}
