import type { Metadata } from 'next'
import { requireAccount } from '@/app/_server/account'
import { baseUrl } from '@/app/_server/base-url'
import { getTranslations } from '@/app/_server/locale'
import { KeysSettings } from '@/app/dashboard/settings/keys/_parts/keys-settings'
import { readConfig } from '@/lib/config'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('settings')
  return { title: t('nav.keys') }
}

export default async function KeysPage() {
  await requireAccount('/dashboard/settings/keys')
  return <KeysSettings baseUrl={await baseUrl()} foreign={readConfig().FOREIGN_APIS} />
}
