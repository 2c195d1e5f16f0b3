import type { ReactNode } from 'react'
import { SettingsNav } from '@/app/_ui/settings/settings-nav'

export default function SettingsLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <h1 className="mb-5 text-2xl font-semibold tracking-tight">Settings</h1>
      <div className="flex flex-col gap-5 md:flex-row md:gap-8">
        <SettingsNav />
        <div className="min-w-0 flex-1 md:max-w-2xl">{children}</div>
      </div>
    </>
  )
}
