'use client'

import { useEffect, useRef, useState } from 'react'
import { useTranslations } from '#i18n'
import { NarrowPage, TextLink } from '@/app/_ui/account/narrow-page'
import { Button } from '@/app/_ui/base/button'
import { FailureMessage } from '@/app/_ui/base/failure'
import { TextField } from '@/app/_ui/base/field'
import { Form } from '@/app/_ui/base/form'
import { askForReset } from '@/app/_ui/data/auth-client'
import { useForm } from '@/app/_ui/data/use-form'
import { write } from '@/app/_ui/data/words'
import { readEmail } from '@/lib/forms/read'
import { resultOf, type SentForm, sentOf } from '@/lib/forms/sent'

/** Asks for a link by which a new password is set. */
export function ResetPage({ sent }: { sent: SentForm | null }) {
  const t = useTranslations('account')
  const title = useRef<HTMLHeadingElement>(null)
  const [sentTo, setSentTo] = useState(resultOf(sent, 'reset')?.email ?? null)
  useEffect(() => {
    if (sentTo !== null) title.current?.focus()
  }, [sentTo])
  const form = useForm(
    async (data) => {
      const read = readEmail(data, write)
      if (!read.ok) return read.failure
      const result = await askForReset(read.value.email)
      if (!result.ok) return result.failure
      setSentTo(read.value.email)
      return null
    },
    sentOf(sent, 'reset'),
  )
  const back = (
    <p>
      <TextLink href="/sign-in">{t('backToSignIn')}</TextLink>
    </p>
  )
  if (sentTo !== null) {
    const intro = t.rich('reset.sent', { email: sentTo, strong: (text) => <strong className="text-fg">{text}</strong> })
    return <NarrowPage titleRef={title} title={t('checkEmail')} intro={intro} footer={back} />
  }
  return (
    <NarrowPage title={t('reset.title')} intro={t('reset.intro')} footer={back}>
      <Form name="reset" ref={form.ref} onSubmit={form.onSubmit} aria-label={t('reset.title')} className="space-y-4">
        {form.failure && <FailureMessage>{form.failure}</FailureMessage>}
        <TextField label={t('email')} {...form.field('email')} type="email" autoComplete="username" />
        <Button type="submit" look="primary" busy={form.pending} className="w-full">
          {form.pending ? t('reset.sending') : t('reset.send')}
        </Button>
      </Form>
    </NarrowPage>
  )
}
