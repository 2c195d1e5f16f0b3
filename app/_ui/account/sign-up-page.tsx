'use client'

import { useState } from 'react'
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
  const [verifying, setVerifying] = useState(
    resultOf(sent, 'sign-up')?.email ?? sentOf(sent, 'verification')?.values.email ?? null,
  )
  if (verifying !== null) return <MailSent email={verifying} sent={sent} />
  return (
    <NarrowPage
      title={invitation ? 'You are invited' : 'Make an account'}
      intro="Your links in one place, on every device, with their statistics and keys for the API."
      footer={
        <p>
          Have an account? <TextLink href="/sign-in">Sign in</TextLink>
        </p>
      }
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
