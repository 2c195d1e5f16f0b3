import type { Metadata } from 'next'
import { requireAccount } from '@/app/_server/account'
import { getTranslations } from '@/app/_server/locale'
import { WebhooksSettings } from '@/app/dashboard/settings/webhooks/_parts/webhooks-settings'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('settings')
  return { title: t('nav.webhooks') }
}

export default async function WebhooksPage() {
  const { role } = await requireAccount('/dashboard/settings/webhooks')
  return <WebhooksSettings isAdmin={role === 'admin'} />
}
