import type { Metadata } from 'next'
import { accountSettings, accountView } from '@/app/_server/account'
import { SecuritySettings } from '@/app/_ui/settings/security-settings'

export const metadata: Metadata = { title: 'Security' }

export default async function SecurityPage() {
  const account = await accountView('/dashboard/settings/security')
  const { mail } = await accountSettings()
  return <SecuritySettings account={account} mail={mail} />
}
