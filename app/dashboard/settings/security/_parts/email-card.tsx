import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Badge } from '@/app/_ui/base/badge'
import { Button } from '@/app/_ui/base/button'
import { Card } from '@/app/_ui/base/card'
import { FailureMessage } from '@/app/_ui/base/failure'
import { TextField } from '@/app/_ui/base/field'
import { Form } from '@/app/_ui/base/form'
import { toast } from '@/app/_ui/base/toast'
import { getAccount } from '@/app/_ui/data/account'
import { changeEmail } from '@/app/_ui/data/auth-client'
import { useForm } from '@/app/_ui/data/use-form'
import { write } from '@/app/_ui/data/words'
import type { AccountView } from '@/lib/accounts/schemas'
import { invalid } from '@/lib/forms/failure'
import { readEmail } from '@/lib/forms/read'
import type { SentForm } from '@/lib/forms/sent'

interface Props {
  account: AccountView
  /** Mails are sent from here: a change is confirmed by them. */
  mail: boolean
  /** The form, where it was sent without scripts. */
  given: SentForm | null
}

export function EmailCard({ account, mail, given }: Props) {
  const t = useTranslations('settings.email')
  const [current, setCurrent] = useState(account.email)
  const [sent, setSent] = useState<string | null>(null)
  const form = useForm(async (data) => {
    const read = readEmail(data, write)
    if (!read.ok) return read.failure
    const email = read.value.email.toLowerCase()
    if (email === current) return invalid({ email: t('same') })
    const result = await changeEmail(email)
    if (!result.ok) return result.failure
    if (mail) setSent(email)
    else {
      // The same is answered for an address that another account has.
      const after = await getAccount()
      if (!after.ok) return after.failure
      if (after.value.email !== email) return invalid({ email: t('refused') })
      setCurrent(email)
      toast(t('saved'))
    }
    form.ref.current?.reset()
    return null
  }, given)
  return (
    <Card title={t('title')} action={mail && account.emailVerified && <Badge>{t('confirmed')}</Badge>}>
      <p className="mb-4 text-[15px] font-medium text-anywhere">{current}</p>
      <Form name="email" ref={form.ref} onSubmit={form.onSubmit} aria-label={t('title')} className="space-y-4">
        {form.failure && <FailureMessage>{form.failure}</FailureMessage>}
        <TextField
          label={t('new')}
          {...form.field('email')}
          type="email"
          autoComplete="email"
          hint={mail ? t('hint') : undefined}
        />
        <Button type="submit" busy={form.pending}>
          {t('save')}
        </Button>
      </Form>
      <p role="status" className="mt-4 text-sm text-ok text-anywhere empty:mt-0">
        {sent && t('sent', { current, next: sent })}
      </p>
    </Card>
  )
}
