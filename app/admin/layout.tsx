import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { SectionLayout } from '@/app/_parts/section-layout'
import { requireAccount } from '@/app/_server/account'
import { ProvideMessages } from '@/app/_server/messages'
import { Missing } from '@/app/_server/missing'

export const metadata: Metadata = { robots: { index: false } }

const PAGES = [
  { href: '/admin', label: 'Overview' },
  { href: '/admin/links', label: 'Links' },
  { href: '/admin/accounts', label: 'Accounts' },
  { href: '/admin/reports', label: 'Reports' },
  { href: '/admin/blocklist', label: 'Blocklist' },
  { href: '/admin/domains', label: 'Domains' },
  { href: '/admin/system', label: 'System' },
  { href: '/admin/audit', label: 'Audit log' },
]

export default async function AdminLayout({ children }: { children: ReactNode }) {
  const { role } = await requireAccount('/admin')
  if (role !== 'admin') return <Missing />
  return (
    <ProvideMessages of={['linkList', 'links', 'overview']}>
      <SectionLayout label="Administration" pages={PAGES}>
        {children}
      </SectionLayout>
    </ProvideMessages>
  )
}
