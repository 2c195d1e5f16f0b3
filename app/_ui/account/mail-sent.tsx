'use client'

import { useEffect, useRef, useState } from 'react'
import { Button } from '@/app/_ui/base/button'
import { Form } from '@/app/_ui/base/form'
import { Notice } from '@/app/_ui/base/notice'
import { sendVerification } from '@/app/_ui/data/auth-client'
import { useForm, wrong } from '@/app/_ui/data/use-form'
import { readEmail } from '@/lib/forms/read'
import { resultOf, type SentForm, sentOf } from '@/lib/forms/sent'
import { NarrowPage } from './narrow-page'

interface Props {
  email: string
  sent: SentForm | null
}

/** Says that an address is to be confirmed. */
export function MailSent({ email, sent }: Props) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  return (
    <NarrowPage
      titleRef={title}
      title="Look into your mail"
      intro={
        <>
          A mail is on its way to <strong className="text-fg">{email}</strong>, unless it was confirmed before. Open its link
          within an hour to confirm the address, then sign in.
        </>
      }
    >
      <Again email={email} sent={sent} />
    </NarrowPage>
  )
}

/** Has the mail sent again that confirms an address. */
export function Again({ email, sent }: Props) {
  const [again, setAgain] = useState(resultOf(sent, 'verification') !== null)
  const form = useForm(
    async (data) => {
      const read = readEmail(data)
      if (!read.ok) return wrong(read.fields)
      const result = await sendVerification(read.value.email)
      if (!result.ok) return result.failure
      setAgain(true)
      return null
    },
    sentOf(sent, 'verification'),
  )
  return (
    <Form name="verification" ref={form.ref} onSubmit={form.onSubmit} aria-label="Send the mail again" className="space-y-4">
      {(form.problem ?? form.errors.email) && <Notice>{form.problem ?? form.errors.email}</Notice>}
      <input type="hidden" name="email" value={email} />
      <p role="status" className="sr-only">
        {again ? 'The mail was sent once more.' : ''}
      </p>
      <Button type="submit" disabled={form.pending || again}>
        {form.pending ? 'Sending…' : again ? 'Sent once more' : 'Send it again'}
      </Button>
    </Form>
  )
}
