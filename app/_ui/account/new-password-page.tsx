'use client'

import Link from 'next/link'
import { useEffect, useRef, useState } from 'react'
import { Button, buttonClass } from '@/app/_ui/base/button'
import { Notice } from '@/app/_ui/base/notice'
import { PasswordField } from '@/app/_ui/base/password-field'
import { resetPassword } from '@/app/_ui/data/auth-client'
import { textOf } from '@/app/_ui/data/form'
import { useForm, wrongBy } from '@/app/_ui/data/use-form'
import { MAX_PASSWORD, MIN_PASSWORD } from '@/lib/accounts/names'
import { SetupInput } from '@/lib/accounts/schemas'
import { NarrowPage, textLinkClass } from './narrow-page'
import { NeedsJavaScript } from './needs-javascript'

const Chosen = SetupInput.pick({ password: true })

/** Sets a new password. @param token of the link that was sent, or made by an admin */
export function NewPasswordPage({ token }: { token: string }) {
  const title = useRef<HTMLHeadingElement>(null)
  const [done, setDone] = useState(false)
  useEffect(() => {
    if (done) title.current?.focus()
  }, [done])
  const form = useForm(async (data) => {
    const { success, data: chosen, error } = Chosen.safeParse({ password: textOf(data, 'password') })
    if (!success) return wrongBy(error)
    const result = await resetPassword(token, chosen.password)
    if (!result.ok) return result.failure
    setDone(true)
    return null
  })
  if (done) {
    return (
      <NarrowPage
        titleRef={title}
        title="Your new password is set"
        intro="It signs you in from now on. All other sign-ins have ended."
      >
        <Link href="/sign-in" className={buttonClass('primary')}>
          Sign in
        </Link>
      </NarrowPage>
    )
  }
  return (
    <NarrowPage
      title="Choose a new password"
      footer={
        <p>
          <Link href="/reset" className={textLinkClass}>
            Ask for a new link
          </Link>
        </p>
      }
    >
      <NeedsJavaScript />
      <form ref={form.ref} onSubmit={form.onSubmit} noValidate aria-label="Choose a password" className="space-y-4">
        {form.problem && <Notice>{form.problem}</Notice>}
        <PasswordField
          label="New password"
          name="password"
          maxLength={MAX_PASSWORD}
          hint={`At least ${MIN_PASSWORD} characters. Long is better than complicated.`}
          error={form.errors.password}
          onChange={() => form.clear('password')}
        />
        <Button type="submit" look="primary" disabled={form.pending} className="w-full">
          {form.pending ? 'Saving…' : 'Set the password'}
        </Button>
      </form>
    </NarrowPage>
  )
}
