import type { Metadata } from 'next'
import { cookies } from 'next/headers'
import { requireAccount } from '@/app/_server/account'
import { shortHosts } from '@/app/_server/hosts'
import { getTranslations } from '@/app/_server/locale'
import { ProvideMessages } from '@/app/_server/messages'
import { type SearchParams, withQuery } from '@/app/_server/query'
import { LOOK_COOKIE, parseLook } from '@/app/_ui/links/look'
import { OwnLinks } from '@/app/dashboard/_parts/own-links'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('dashboard')
  return { title: t('links.title') }
}

export default async function DashboardPage({ searchParams }: { searchParams: SearchParams }) {
  await requireAccount(withQuery('/dashboard', await searchParams))
  const look = parseLook((await cookies()).get(LOOK_COOKIE)?.value)
  return (
    <ProvideMessages of={['claim', 'dashboard', 'linkList', 'links', 'saved', 'spoken']}>
      <OwnLinks hosts={await shortHosts()} look={look} />
    </ProvideMessages>
  )
}
