import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { requireAccount } from '@/app/_server/account'
import { Missing } from '@/app/_server/missing'
import { ProofDialog } from '@/app/_ui/account/proof-dialog'
import { SubNav } from '@/app/_ui/base/sub-nav'
import { ServerDataProvider } from '@/app/_ui/data/server-data'

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
    <div className="pt-2">
      <SubNav label="Administration" links={PAGES} />
      <noscript>
        <p className="mb-6 rounded-control bg-warn-soft p-4 text-sm text-warn">This page needs JavaScript.</p>
      </noscript>
      <ServerDataProvider>
        {children}
        <ProofDialog />
      </ServerDataProvider>
    </div>
  )
}
