import type { Metadata } from 'next'
import { Suspense } from 'react'
import { requireAccount } from '@/app/_server/account'
import { OwnLinks } from '@/app/_ui/dashboard/own-links'
import { baseUrl } from '@/app/_ui/site'
import { unicodeHost } from '@/lib/net/shown-host'

export const metadata: Metadata = { title: 'Links' }

export default async function DashboardPage() {
  await requireAccount('/dashboard')
  const { host } = new URL(await baseUrl())
  return (
    <Suspense>
      <OwnLinks host={unicodeHost(host)} />
    </Suspense>
  )
}
