import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { SectionLayout } from '@/app/_parts/section-layout'
import { requireAccount } from '@/app/_server/account'
import { getTranslations } from '@/app/_server/locale'
import { ProvideMessages } from '@/app/_server/messages'
import { Missing } from '@/app/_server/missing'
import { adminPages } from '@/app/_server/pages'

export const metadata: Metadata = { robots: { index: false } }

export default async function AdminLayout({ children }: { children: ReactNode }) {
  const { role } = await requireAccount('/admin')
  if (role !== 'admin') return <Missing />
  const t = await getTranslations('admin')
  return (
    <ProvideMessages of={['admin', 'linkList', 'links', 'linksExport', 'overview', 'report']}>
      <SectionLayout label={t('label')} pages={await adminPages()}>
        {children}
      </SectionLayout>
    </ProvideMessages>
  )
}
