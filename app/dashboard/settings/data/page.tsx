import type { Metadata } from 'next'
import { accountView } from '@/app/_server/account'
import { getTranslations } from '@/app/_server/locale'
import { DataSettings } from '@/app/dashboard/settings/data/_parts/data-settings'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('settings')
  return { title: t('nav.data') }
}

export default async function DataPage() {
  const account = await accountView('/dashboard/settings/data')
  return <DataSettings account={account} />
}
