'use client'

import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { FailureMessage } from '@/app/_ui/base/failure'
import { Form } from '@/app/_ui/base/form'
import { sendTestEmail } from '@/app/_ui/data/admin'
import { useForm } from '@/app/_ui/data/use-form'
import { resultOf, type SentForm } from '@/lib/forms/sent'

/** Sends a mail to who is looking, and says what the mail server said. */
export function TestEmailForm({ email, sent }: { email: string; sent: SentForm | null }) {
  const t = useTranslations('setup.mail')
  const [told, setTold] = useState(resultOf(sent, 'test-email'))
  const form = useForm(async () => {
    setTold(null)
    const result = await sendTestEmail()
    if (!result.ok) return result.failure
    setTold(result.value)
    return null
  }, sent)
  return (
    <Form name="test-email" ref={form.ref} onSubmit={form.onSubmit} aria-label={t('title')} className="space-y-4">
      <Button type="submit" look="primary" busy={form.pending} className="max-w-full whitespace-normal text-anywhere">
        {form.pending ? t('testing') : t('test', { email })}
      </Button>
      {form.failure && <FailureMessage>{form.failure}</FailureMessage>}
      {told && told.refusal !== null && <FailureMessage>{t('refused', { reason: told.refusal })}</FailureMessage>}
      {told?.refusal === null && (
        <p role="status" className="rounded-control bg-ok-soft px-3.5 py-3 text-sm text-ok text-anywhere">
          {t('sent', { email: told.to })}
        </p>
      )}
    </Form>
  )
}
