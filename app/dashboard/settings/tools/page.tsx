import type { Metadata } from 'next'
import { accountView } from '@/app/_server/account'
import { baseUrl } from '@/app/_server/base-url'
import { brand } from '@/app/_server/brand'
import { getTranslations } from '@/app/_server/locale'
import { ProvideMessages } from '@/app/_server/messages'
import { ToolsSettings } from '@/app/dashboard/settings/tools/_parts/tools-settings'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('settings')
  return { title: t('nav.tools') }
}

export default async function ToolsPage() {
  await accountView('/dashboard/settings/tools')
  const { name } = await brand()
  return (
    <ProvideMessages of={['tools']}>
      <ToolsSettings site={name} address={await baseUrl()} />
    </ProvideMessages>
  )
}
