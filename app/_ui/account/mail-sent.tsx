'use client'

import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { FailureMessage } from '@/app/_ui/base/failure'
import { Form } from '@/app/_ui/base/form'
import { sendVerification } from '@/app/_ui/data/auth-client'
import { useForm } from '@/app/_ui/data/use-form'
import { write } from '@/app/_ui/data/words'
import { readEmail } from '@/lib/forms/read'
import { resultOf, type SentForm, sentOf } from '@/lib/forms/sent'
import { NarrowPage, TextLink } from './narrow-page'

interface Props {
  email: string
  sent: SentForm | null
}

const strong = (text: ReactNode) => <strong className="text-fg">{text}</strong>

/** Asks to confirm an address: after signing up, and after asking for the mail again without scripts. */
export function MailSent({ email, sent }: Props) {
  const t = useTranslations('account')
  const again = sentOf(sent, 'verification')
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  return (
    <NarrowPage
      titleRef={title}
      title={again?.failure ? t('mail.failed') : t('checkEmail')}
      intro={again === null && t.rich('mail.intro', { email, strong })}
      footer={
        <p>
          <TextLink href="/sign-in">{t('backToSignIn')}</TextLink>
        </p>
      }
    >
      <Again email={email} sent={sent} />
    </NarrowPage>
  )
}

/** Has the mail sent again that confirms an address. Whether there is an account that waits for it, nobody is told. */
export function Again({ email, sent }: Props) {
  const t = useTranslations('account')
  const [again, setAgain] = useState(resultOf(sent, 'verification') !== null)
  const form = useForm(
    async (data) => {
      const read = readEmail(data, write)
      if (!read.ok) return read.failure
      const result = await sendVerification(read.value.email)
      if (!result.ok) return result.failure
      setAgain(true)
      return null
    },
    sentOf(sent, 'verification'),
  )
  return (
    <Form name="verification" ref={form.ref} onSubmit={form.onSubmit} aria-label={t('mail.again')} className="space-y-4">
      {(form.failure ?? form.errors.email) && <FailureMessage>{form.failure ?? form.errors.email}</FailureMessage>}
      <input type="hidden" name="email" value={email} />
      <div role="status" className="text-sm empty:hidden">
        {again && !form.failure && <p className="text-anywhere">{t.rich('mail.sentAgain', { email, strong })}</p>}
      </div>
      <Button type="submit" busy={form.pending}>
        {form.pending ? t('mail.sending') : t('mail.again')}
      </Button>
    </Form>
  )
}
