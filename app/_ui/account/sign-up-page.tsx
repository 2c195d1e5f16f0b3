'use client'

import { useState } from 'react'
import { useTranslations } from '#i18n'
import { resultOf, type SentForm, sentOf } from '@/lib/forms/sent'
import { MailSent } from './mail-sent'
import { NarrowPage, TextLink } from './narrow-page'
import { OtherWays } from './other-ways'
import { SignUpForm } from './sign-up-form'

/** An invitation that is good. */
export interface Invitation {
  token: string
  /** Who it is for; '' for anyone. */
  email: string
}

interface Props {
  /** Name of the provider; null without one. */
  oidc: string | null
  invitation: Invitation | null
  sent: SentForm | null
}

export function SignUpPage({ oidc, invitation, sent }: Props) {
  const t = useTranslations('account.signUp')
  const [verifying, setVerifying] = useState(
    resultOf(sent, 'sign-up')?.email ?? sentOf(sent, 'verification')?.values.email ?? null,
  )
  if (verifying !== null) return <MailSent email={verifying} sent={sent} />
  return (
    <NarrowPage
      title={invitation ? t('invited') : t('title')}
      intro={t('intro')}
      footer={<p>{t.rich('haveAccount', { link: (text) => <TextLink href="/sign-in">{text}</TextLink> })}</p>}
    >
      <SignUpForm
        invitation={invitation}
        sent={sentOf(sent, 'sign-up')}
        onSignedIn={() => location.assign('/sign-up/done')}
        onVerify={(email) => setVerifying(email)}
      />
      <OtherWays next="/dashboard" oidc={oidc} invitation={invitation?.token ?? null} />
    </NarrowPage>
  )
}
