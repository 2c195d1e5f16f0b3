'use client'

import { useEffect, useRef, useState } from 'react'
import { useTranslations } from '#i18n'
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
  const t = useTranslations('account')
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
      <NarrowPage titleRef={title} title={t('newPassword.done')} intro={t('newPassword.doneText')}>
        <LinkButton href="/sign-in" look="primary">
          {t('newPassword.signIn')}
        </LinkButton>
      </NarrowPage>
    )
  }
  return (
    <NarrowPage
      title={t('newPassword.title')}
      footer={
        <p>
          <TextLink href="/reset">{t('newPassword.newLink')}</TextLink>
        </p>
      }
    >
      <Form name="new-password" ref={form.ref} onSubmit={form.onSubmit} aria-label={t('newPassword.title')} className="space-y-4">
        {form.failure && <FailureMessage>{form.failure}</FailureMessage>}
        <PasswordField
          label={t('newPassword.label')}
          {...form.field('password')}
          maxLength={MAX_PASSWORD}
          hint={t('passwordHint', { min: MIN_PASSWORD })}
        />
        <Button type="submit" look="primary" busy={form.pending} className="w-full">
          {form.pending ? t('newPassword.saving') : t('newPassword.save')}
        </Button>
      </Form>
    </NarrowPage>
  )
}
