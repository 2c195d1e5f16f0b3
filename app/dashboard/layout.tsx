import type { ReactNode } from 'react'
import { SectionLayout } from '@/app/_parts/section-layout'
import { getTranslations } from '@/app/_server/locale'

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const t = await getTranslations('dashboard')
  const pages = [
    { href: '/dashboard', label: t('nav.links') },
    { href: '/dashboard/overview', label: t('nav.overview') },
    { href: '/dashboard/settings', label: t('nav.settings') },
  ]
  return (
    <SectionLayout label={t('nav.label')} pages={pages} api>
      {children}
    </SectionLayout>
  )
}
