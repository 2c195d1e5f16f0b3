import type { Metadata } from 'next'
import { Suspense } from 'react'
import { requireAccount } from '@/app/_server/account'
import { baseUrl } from '@/app/_server/base-url'
import { OwnLinks } from '@/app/dashboard/_parts/own-links'
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
