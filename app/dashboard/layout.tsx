import type { ReactNode } from 'react'
import { ProofDialog } from '@/app/_ui/account/proof-dialog'
import { SubNav } from '@/app/_ui/base/sub-nav'
import { ServerDataProvider } from '@/app/_ui/data/server-data'

const PAGES = [
  { href: '/dashboard', label: 'Links' },
  { href: '/dashboard/overview', label: 'Overview' },
  { href: '/dashboard/settings', label: 'Settings' },
]

export default function DashboardLayout({ children }: { children: ReactNode }) {
  return (
    <div className="pt-2">
      <SubNav label="Your account" links={PAGES} />
      <noscript>
        <p className="mb-6 rounded-control bg-warn-soft p-4 text-sm text-warn">
          This page needs JavaScript. The <a href="/docs">API</a> works without.
        </p>
      </noscript>
      <ServerDataProvider>
        {children}
        <ProofDialog />
      </ServerDataProvider>
    </div>
  )
}
