'use client'

import Link from 'next/link'
import { useState } from 'react'
import type { AccountSettings } from '@/lib/accounts/schemas'
import { MailSent } from './mail-sent'
import { NarrowPage, textLinkClass } from './narrow-page'
import { NeedsJavaScript } from './needs-javascript'
import { OtherWays } from './other-ways'
import { SecondFactorForm } from './second-factor-form'
import { SignInForm } from './sign-in-form'

interface Props {
  settings: AccountSettings
  /** Where to go afterwards: a path of this app. */
  next: string
  /** What went wrong where the browser comes from, in words. */
  problem: string | null
}

type Step = { at: 'password' } | { at: 'code' } | { at: 'verify'; login: string }

export function SignInPage({ settings, next, problem }: Props) {
  const [step, setStep] = useState<Step>({ at: 'password' })
  // A page of its own, so that all of it is as the account sees it.
  const arrive = () => location.assign(next)
  if (step.at === 'verify') return <MailSent email={step.login.includes('@') ? step.login : null} />
  if (step.at === 'code') return <SecondFactorForm onDone={arrive} onBack={() => setStep({ at: 'password' })} />
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
      <NeedsJavaScript />
      <SignInForm
        problem={problem}
        onSignedIn={arrive}
        onCode={() => setStep({ at: 'code' })}
        onVerify={(login) => setStep({ at: 'verify', login })}
      />
      <OtherWays next={next} oidc={settings.oidc} passkey />
    </NarrowPage>
  )
}
