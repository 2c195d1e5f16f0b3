'use client'

import { useTranslations } from '#i18n'
import { NarrowPage } from '@/app/_ui/account/narrow-page'
import { PersonFields } from '@/app/_ui/account/person-fields'
import { Button } from '@/app/_ui/base/button'
import { FailureMessage } from '@/app/_ui/base/failure'
import { Form } from '@/app/_ui/base/form'
import { setUp } from '@/app/_ui/data/account'
import { useForm } from '@/app/_ui/data/use-form'
import { write } from '@/app/_ui/data/words'
import { readPerson } from '@/lib/forms/read'
import { type SentForm, sentOf } from '@/lib/forms/sent'

/** Makes the first admin. @param token as it was printed at start. @param name what this site is called */
export function SetupPage({ token, name, sent }: { token: string; name: string; sent: SentForm | null }) {
  const t = useTranslations('account.setup')
  const form = useForm(
    async (data) => {
      const read = readPerson(data, write)
      if (!read.ok) return read.failure
      const result = await setUp({ ...read.value, token })
      if (!result.ok) return result.failure
      location.assign('/admin/setup')
      return null
    },
    sentOf(sent, 'setup'),
  )
  return (
    <NarrowPage title={t('title', { name })} intro={t('intro')}>
      <Form name="setup" ref={form.ref} onSubmit={form.onSubmit} aria-label={t('form')} className="space-y-4">
        {form.failure && <FailureMessage>{form.failure}</FailureMessage>}
        <PersonFields form={form} />
        <Button type="submit" look="primary" busy={form.pending} className="mt-2 w-full">
          {form.pending ? t('submitting') : t('submit')}
        </Button>
      </Form>
    </NarrowPage>
  )
}
