'use client'

import Link from 'next/link'
import { useState } from 'react'
import type { AccountSettings } from '@/lib/accounts/schemas'
import { resultOf, type SentForm, sentOf } from '@/lib/forms/sent'
import { MailSent } from './mail-sent'
import { NarrowPage, textLinkClass } from './narrow-page'
import { OtherWays } from './other-ways'
import { SecondFactorForm } from './second-factor-form'
import { SignInForm } from './sign-in-form'

interface Props {
  settings: AccountSettings
  /** Where to go afterwards: a path of this app. */
  next: string
  /** What went wrong where the browser comes from, in words. */
  problem: string | null
  /** The step that the address names: without scripts each has one. */
  step: FirstStep
  sent: SentForm | null
}

export type FirstStep = 'password' | 'code' | 'backup'

type Step = { at: FirstStep } | { at: 'verify'; login: string }

export function SignInPage({ settings, next, problem, step: first, sent }: Props) {
  const login = resultOf(sent, 'sign-in')?.verify ?? sentOf(sent, 'verification')?.values.email
  const [step, setStep] = useState<Step>(login === undefined ? { at: first } : { at: 'verify', login })
  // A page of its own, so that all of it is as the account sees it.
  const arrive = () => location.assign(next)
  if (step.at === 'verify') return <MailSent email={step.login.includes('@') ? step.login : null} sent={sent} />
  if (step.at !== 'password') {
    return (
      <SecondFactorForm
        backup={step.at === 'backup'}
        next={next}
        sent={sentOf(sent, 'second-factor')}
        onDone={arrive}
        onChange={(backup) => setStep({ at: backup ? 'backup' : 'code' })}
        onBack={() => setStep({ at: 'password' })}
      />
    )
  }
  return (
    <NarrowPage
      title="Sign in"
      footer={
        <>
          {settings.signUp === 'open' && (
            <p>
              New here?{' '}
              <Link href="/sign-up" className={textLinkClass}>
                Make an account
              </Link>
            </p>
          )}
          {settings.signUp === 'invitation' && <p>New accounts are made by invitation.</p>}
          <p>
            <Link href="/" className={textLinkClass}>
              Shorten a link
            </Link>{' '}
            without an account
          </p>
        </>
      }
    >
      <SignInForm
        problem={problem}
        sent={sentOf(sent, 'sign-in')}
        onSignedIn={arrive}
        onCode={() => setStep({ at: 'code' })}
        onVerify={(login) => setStep({ at: 'verify', login })}
      />
      <OtherWays next={next} oidc={settings.oidc} passkey />
    </NarrowPage>
  )
}
