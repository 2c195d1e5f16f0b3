'use client'

import { useEffect, useRef, useState } from 'react'
import { NarrowPage, TextLink } from '@/app/_ui/account/narrow-page'
import { Button, LinkButton } from '@/app/_ui/base/button'
import { FailureMessage } from '@/app/_ui/base/failure'
import { Form } from '@/app/_ui/base/form'
import { PasswordField } from '@/app/_ui/base/password-field'
import { resetPassword } from '@/app/_ui/data/auth-client'
import { useForm } from '@/app/_ui/data/use-form'
import { write } from '@/app/_ui/data/words'
import { MAX_PASSWORD, MIN_PASSWORD } from '@/lib/accounts/names'
import { readNewPassword } from '@/lib/forms/read'
import { resultOf, type SentForm, sentOf } from '@/lib/forms/sent'

/** Sets a new password. @param token of the link that was sent, or made by an admin */
export function NewPasswordPage({ token, sent }: { token: string; sent: SentForm | null }) {
  const title = useRef<HTMLHeadingElement>(null)
  const [done, setDone] = useState(resultOf(sent, 'new-password') !== null)
  useEffect(() => {
    if (done) title.current?.focus()
  }, [done])
  const form = useForm(
    async (data) => {
      const read = readNewPassword(data, write)
      if (!read.ok) return read.failure
      const result = await resetPassword(token, read.value.password)
      if (!result.ok) return result.failure
      setDone(true)
      return null
    },
    sentOf(sent, 'new-password'),
  )
  if (done) {
    return (
      <NarrowPage
        titleRef={title}
        title="Your new password is set"
        intro="It signs you in from now on. All other sign-ins have ended."
      >
        <LinkButton href="/sign-in" look="primary">
          Sign in
        </LinkButton>
      </NarrowPage>
    )
  }
  return (
    <NarrowPage
      title="Choose a new password"
      footer={
        <p>
          <TextLink href="/reset">Ask for a new link</TextLink>
        </p>
      }
    >
      <Form name="new-password" ref={form.ref} onSubmit={form.onSubmit} aria-label="Choose a password" className="space-y-4">
        {form.failure && <FailureMessage>{form.failure}</FailureMessage>}
        <PasswordField
          label="New password"
          {...form.field('password')}
          maxLength={MAX_PASSWORD}
          hint={`At least ${MIN_PASSWORD} characters. Long is better than complicated.`}
        />
        <Button type="submit" look="primary" busy={form.pending} className="w-full">
          {form.pending ? 'Saving…' : 'Set the password'}
        </Button>
      </Form>
    </NarrowPage>
  )
}
