'use client'

import { useTranslations } from '#i18n'
import { NarrowPage } from '@/app/_ui/account/narrow-page'
import { Button } from '@/app/_ui/base/button'
import { FailureMessage } from '@/app/_ui/base/failure'
import { Form } from '@/app/_ui/base/form'
import { signOut } from '@/app/_ui/data/account'
import { useForm } from '@/app/_ui/data/use-form'
import { type SentForm, sentOf } from '@/lib/forms/sent'

/** @param name of who is signed in */
export function SignOutPage({ name, sent }: { name: string; sent: SentForm | null }) {
  const t = useTranslations('account.signOut')
  const form = useForm(
    async () => {
      const result = await signOut()
      if (!result.ok) return result.failure
      // A page of its own, so that nothing of the account stays behind in this one.
      location.assign('/')
      return null
    },
    sentOf(sent, 'sign-out'),
  )
  return (
    <NarrowPage title={t('title')} intro={t('intro', { name })}>
      <Form name="sign-out" ref={form.ref} onSubmit={form.onSubmit} aria-label={t('title')} className="space-y-4">
        {form.failure && <FailureMessage>{form.failure}</FailureMessage>}
        <Button type="submit" look="primary" busy={form.pending}>
          {t('title')}
        </Button>
      </Form>
    </NarrowPage>
  )
}
