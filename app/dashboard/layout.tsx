import type { ReactNode } from 'react'
import { SectionLayout } from '@/app/_parts/section-layout'
import { getTranslations } from '@/app/_server/locale'
import { dashboardPages } from '@/app/_server/pages'

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const t = await getTranslations('dashboard')
  return (
    <SectionLayout label={t('nav.label')} pages={await dashboardPages()} api>
      {children}
    </SectionLayout>
  )
}
