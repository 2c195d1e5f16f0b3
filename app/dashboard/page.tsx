import type { Metadata } from 'next'
import { cookies } from 'next/headers'
import { Suspense } from 'react'
import { requireAccount } from '@/app/_server/account'
import { baseUrl } from '@/app/_server/base-url'
import { getTranslations } from '@/app/_server/locale'
import { ProvideMessages } from '@/app/_server/messages'
import { LOOK_COOKIE, parseLook } from '@/app/_ui/links/look'
import { OwnLinks } from '@/app/dashboard/_parts/own-links'
import { unicodeHost } from '@/lib/net/shown-host'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('dashboard')
  return { title: t('links.title') }
}

export default async function DashboardPage() {
  await requireAccount('/dashboard')
  const { host } = new URL(await baseUrl())
  const look = parseLook((await cookies()).get(LOOK_COOKIE)?.value)
  return (
    <ProvideMessages of={['claim', 'dashboard', 'linkList', 'links', 'saved']}>
      <Suspense>
        <OwnLinks host={unicodeHost(host)} look={look} />
      </Suspense>
    </ProvideMessages>
  )
}
