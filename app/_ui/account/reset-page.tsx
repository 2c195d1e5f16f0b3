'use client'

import Link from 'next/link'
import { useEffect, useRef, useState } from 'react'
import { Button } from '@/app/_ui/base/button'
import { TextField } from '@/app/_ui/base/field'
import { Notice } from '@/app/_ui/base/notice'
import { askForReset } from '@/app/_ui/data/auth-client'
import { textOf } from '@/app/_ui/data/form'
import { useForm, wrongBy } from '@/app/_ui/data/use-form'
import { SetupInput } from '@/lib/accounts/schemas'
import { NarrowPage, textLinkClass } from './narrow-page'
import { NeedsJavaScript } from './needs-javascript'

const Asked = SetupInput.pick({ email: true })

/** Asks for a link by which a new password is set. */
export function ResetPage() {
  const title = useRef<HTMLHeadingElement>(null)
  const [sentTo, setSentTo] = useState<string | null>(null)
  useEffect(() => {
    if (sentTo !== null) title.current?.focus()
  }, [sentTo])
  const form = useForm(async (data) => {
    const { success, data: asked, error } = Asked.safeParse({ email: textOf(data, 'email').trim() })
    if (!success) return wrongBy(error)
    const result = await askForReset(asked.email)
    if (!result.ok) return result.failure
    setSentTo(asked.email)
    return null
  })
  const back = (
    <p>
      <Link href="/sign-in" className={textLinkClass}>
        Back to signing in
      </Link>
    </p>
  )
  if (sentTo !== null) {
    const intro = (
      <>
        If there is an account with the address <strong className="text-fg">{sentTo}</strong>, a mail is on its way to it. Its
        link sets a new password, once, within an hour.
      </>
    )
    return <NarrowPage titleRef={title} title="Look into your mail" intro={intro} footer={back} />
  }
  return (
    <NarrowPage title="Set a new password" intro="A link for that is sent to the e-mail address of your account." footer={back}>
      <NeedsJavaScript />
      <form ref={form.ref} onSubmit={form.onSubmit} noValidate aria-label="Set a new password" className="space-y-4">
        {form.problem && <Notice>{form.problem}</Notice>}
        <TextField
          label="E-mail address"
          name="email"
          type="email"
          autoComplete="username"
          error={form.errors.email}
          onChange={() => form.clear('email')}
        />
        <Button type="submit" look="primary" disabled={form.pending} className="w-full">
          {form.pending ? 'Sending…' : 'Send the link'}
        </Button>
      </form>
    </NarrowPage>
  )
}
