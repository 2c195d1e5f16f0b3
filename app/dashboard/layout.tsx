import type { ReactNode } from 'react'
import { SectionLayout } from '@/app/_parts/section-layout'

const PAGES = [
  { href: '/dashboard', label: 'Links' },
  { href: '/dashboard/overview', label: 'Overview' },
  { href: '/dashboard/settings', label: 'Settings' },
]

export default function DashboardLayout({ children }: { children: ReactNode }) {
  return (
    <SectionLayout label="Your account" pages={PAGES} api>
      {children}
    </SectionLayout>
  )
}
