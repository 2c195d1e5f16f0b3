import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { SectionLayout } from '@/app/_parts/section-layout'
import { requireAccount } from '@/app/_server/account'
import { getTranslations } from '@/app/_server/locale'
import { ProvideMessages } from '@/app/_server/messages'
import { Missing } from '@/app/_server/missing'

export const metadata: Metadata = { robots: { index: false } }

const PAGES = ['overview', 'links', 'accounts', 'reports', 'blocklist', 'domains', 'system', 'audit', 'setup'] as const

export default async function AdminLayout({ children }: { children: ReactNode }) {
  const { role } = await requireAccount('/admin')
  if (role !== 'admin') return <Missing />
  const t = await getTranslations('admin')
  const pages = PAGES.map((page) => ({ href: page === 'overview' ? '/admin' : `/admin/${page}`, label: t(`page.${page}`) }))
  return (
    <ProvideMessages of={['admin', 'linkList', 'links', 'overview', 'report']}>
      <SectionLayout label={t('label')} pages={pages}>
        {children}
      </SectionLayout>
    </ProvideMessages>
  )
}
