import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { FailureMessage } from '@/app/_ui/base/failure'
import { Form } from '@/app/_ui/base/form'
import { signUp } from '@/app/_ui/data/auth-client'
import { useForm } from '@/app/_ui/data/use-form'
import { write } from '@/app/_ui/data/words'
import { readPerson } from '@/lib/forms/read'
import type { SentForm } from '@/lib/forms/sent'
import { PersonFields } from './person-fields'
import type { Invitation } from './sign-up-page'

interface Props {
  invitation: Invitation | null
  sent: SentForm | null
  onSignedIn: () => void
  /** A mail was sent to this address, whose link confirms it. */
  onVerify: (email: string) => void
}

export function SignUpForm({ invitation, sent, onSignedIn, onVerify }: Props) {
  const t = useTranslations('account.signUp')
  const form = useForm(async (data) => {
    const read = readPerson(data, write)
    if (!read.ok) return read.failure
    const result = await signUp({ ...read.value, invitation: invitation?.token ?? null })
    if (!result.ok) return result.failure
    if (result.value === 'verify') onVerify(read.value.email)
    else onSignedIn()
    return null
  }, sent)
  return (
    <Form name="sign-up" ref={form.ref} onSubmit={form.onSubmit} aria-label={t('title')} className="space-y-4">
      {form.failure && <FailureMessage>{form.failure}</FailureMessage>}
      <PersonFields form={form} email={invitation?.email ?? ''} />
      <Button type="submit" look="primary" busy={form.pending} className="mt-2 w-full">
        {form.pending ? t('submitting') : t('submit')}
      </Button>
    </Form>
  )
}
