'use client'

import type { AccountView } from '@/lib/accounts/schemas'
import { EmailCard } from './email-card'
import { PasskeysCard } from './passkeys-card'
import { PasswordCard } from './password-card'
import { SecondFactorCard } from './second-factor-card'
import { SessionsCard } from './sessions-card'

/** @param mail whether mails are sent from here */
export function SecuritySettings({ account, mail }: { account: AccountView; mail: boolean }) {
  return (
    <div className="space-y-4">
      <PasswordCard hasPassword={account.hasPassword} mail={mail} />
      <SecondFactorCard enabled={account.twoFactorEnabled} hasPassword={account.hasPassword} name={account.email} />
      <PasskeysCard />
      <EmailCard account={account} mail={mail} />
      <SessionsCard />
    </div>
  )
}
