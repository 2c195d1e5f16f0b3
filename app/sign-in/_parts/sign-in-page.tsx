'use client'

import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Again, MailSent } from '@/app/_ui/account/mail-sent'
import { NarrowPage, TextLink } from '@/app/_ui/account/narrow-page'
import { OtherWays } from '@/app/_ui/account/other-ways'
import { FailureMessage } from '@/app/_ui/base/failure'
import type { AccountSettings } from '@/lib/accounts/schemas'
import { CREDENTIALS } from '@/lib/forms/auth-words'
import { addressIn } from '@/lib/forms/read'
import { type SentForm, sentOf } from '@/lib/forms/sent'
import { SecondFactorForm } from './second-factor-form'
import { type Refused, SignInForm } from './sign-in-form'

interface Props {
  settings: AccountSettings
  /** Where to go afterwards: a path of this app. */
  next: string
  /** What went wrong where the browser comes from, in words. */
  failure: string | null
  /** The step that the address names: without scripts each has one. */
  step: FirstStep
  sent: SentForm | null
}

export type FirstStep = 'password' | 'code' | 'backup'

export function SignInPage({ settings, next, failure, step: first, sent }: Props) {
  const t = useTranslations('account.signIn')
  const confirmed = sentOf(sent, 'verification')?.values.email
  const [step, setStep] = useState(first)
  const [refused, setRefused] = useState(refusedIn(sent))
  // A page of its own, so that all of it is as the account sees it.
  const arrive = () => location.assign(next)
  if (confirmed !== undefined) return <MailSent email={confirmed} sent={sent} />
  // Of a handle nobody knows where a mail would go.
  const refusal = settings.mail && refused !== null && refused.address !== '' ? refused : null
  if (step !== 'password') {
    return (
      <SecondFactorForm
        backup={step === 'backup'}
        next={next}
        sent={sentOf(sent, 'second-factor')}
        onDone={arrive}
        onChange={(backup) => setStep(backup ? 'backup' : 'code')}
        onBack={() => setStep('password')}
      />
    )
  }
  return (
    <NarrowPage
      title={t('title')}
      footer={
        <>
          {settings.signUp === 'open' && <p>{t.rich('new', { link: (text) => <TextLink href="/sign-up">{text}</TextLink> })}</p>}
          {settings.signUp === 'invitation' && <p>{t('byInvitation')}</p>}
          <p>{t.rich('without', { link: (text) => <TextLink href="/">{text}</TextLink> })}</p>
        </>
      }
    >
      {refusal && (
        <section className="mb-6 space-y-3" aria-label={t('confirm')}>
          <FailureMessage>{refusal.message}</FailureMessage>
          <Again key={refusal.address} email={refusal.address} sent={null} />
        </section>
      )}
      <SignInForm
        failure={failure}
        sent={sentOf(sent, 'sign-in')}
        onSignedIn={arrive}
        onCode={() => setStep('code')}
        onRefused={setRefused}
        isSaidAbove={refusal !== null}
      />
      <OtherWays next={next} oidc={settings.oidc} passkey />
    </NarrowPage>
  )
}

/** What a form without scripts was refused by, or null. */
function refusedIn(sent: SentForm | null): Refused | null {
  const form = sentOf(sent, 'sign-in')
  const message = form?.errors[CREDENTIALS]
  return message === undefined ? null : { address: addressIn(form?.values.login ?? ''), message }
}
