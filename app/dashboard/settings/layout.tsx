import type { ReactNode } from 'react'
import { getTranslations } from '@/app/_server/locale'
import { ProvideMessages } from '@/app/_server/messages'
import { settingsPages } from '@/app/_server/pages'
import { SCRIPTS_ONLY } from '@/app/_ui/base/without-scripts'
import { SettingsNav } from '@/app/dashboard/settings/_parts/settings-nav'

export default async function SettingsLayout({ children }: { children: ReactNode }) {
  const t = await getTranslations('settings')
  return (
    <ProvideMessages of={['account', 'claim', 'linksExport', 'settings']}>
      <h1 className="mb-5 text-2xl font-semibold tracking-tight">{t('title')}</h1>
      {/* None of it works without, and the page says so at its top. */}
      <div className={`flex flex-col gap-5 md:flex-row md:gap-8 ${SCRIPTS_ONLY}`}>
        <SettingsNav pages={await settingsPages()} />
        <div className="min-w-0 flex-1 md:max-w-2xl">{children}</div>
      </div>
    </ProvideMessages>
  )
}
