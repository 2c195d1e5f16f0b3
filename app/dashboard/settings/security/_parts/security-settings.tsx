'use client'

import type { AccountView } from '@/lib/accounts/schemas'
import { type SentForm, sentOf } from '@/lib/forms/sent'
import { EmailCard } from './email-card'
import { PasskeysCard } from './passkeys-card'
import { PasswordCard } from './password-card'
import { ProviderCard } from './provider-card'
import { SecondFactorCard } from './second-factor-card'
import { SessionsCard } from './sessions-card'

interface Props {
  account: AccountView
  /** Whether mails are sent from here. */
  mail: boolean
  /** Name of the sign-in provider; null without one. */
  oidc: string | null
  /** Why the provider was not linked. */
  failure: string | null
  sent: SentForm | null
}

export function SecuritySettings({ account, mail, oidc, failure, sent }: Props) {
  return (
    <div className="space-y-4">
      <PasswordCard hasPassword={account.hasPassword} mail={mail} sent={sent} />
      <SecondFactorCard enabled={account.twoFactorEnabled} hasPassword={account.hasPassword} name={account.email} />
      <PasskeysCard />
      {oidc !== null && <ProviderCard name={oidc} failure={failure} />}
      <EmailCard account={account} mail={mail} given={sentOf(sent, 'email')} />
      <SessionsCard />
    </div>
  )
}
