import { useTranslations } from '#i18n'
import { TextLink } from '@/app/_ui/account/narrow-page'
import { Button } from '@/app/_ui/base/button'
import { Card } from '@/app/_ui/base/card'
import { FailureMessage } from '@/app/_ui/base/failure'
import { Form } from '@/app/_ui/base/form'
import { PasswordField } from '@/app/_ui/base/password-field'
import { toast } from '@/app/_ui/base/toast'
import { changePassword } from '@/app/_ui/data/auth-client'
import { useForm } from '@/app/_ui/data/use-form'
import { MAX_PASSWORD, MIN_PASSWORD } from '@/lib/accounts/names'
import { invalid } from '@/lib/forms/failure'
import { textOf } from '@/lib/forms/fields'
import { type SentForm, sentOf } from '@/lib/forms/sent'

export function PasswordCard({ hasPassword, mail, sent }: { hasPassword: boolean; mail: boolean; sent: SentForm | null }) {
  const t = useTranslations('settings.password')
  if (hasPassword) return <ChangePassword sent={sentOf(sent, 'password')} />
  return (
    <Card title={t('title')}>
      <p className="text-sm text-muted">
        {mail ? t.rich('noneWithMail', { link: (text) => <TextLink href="/reset">{text}</TextLink> }) : t('noneWithoutMail')}
      </p>
    </Card>
  )
}

function ChangePassword({ sent }: { sent: SentForm | null }) {
  const t = useTranslations('settings.password')
  const form = useForm(async (data) => {
    const [password, chosen] = [textOf(data, 'password'), textOf(data, 'newPassword')]
    if (!password || chosen.length < MIN_PASSWORD) {
      return invalid({
        password: password ? undefined : t('currentMissing'),
        newPassword: chosen.length < MIN_PASSWORD ? t('tooShort', { min: MIN_PASSWORD }) : undefined,
      })
    }
    const result = await changePassword(password, chosen)
    if (!result.ok) return result.failure
    form.ref.current?.reset()
    toast(t('saved'))
    return null
  }, sent)
  return (
    <Card title={t('title')}>
      <Form name="password" ref={form.ref} onSubmit={form.onSubmit} aria-label={t('title')} className="space-y-4">
        {form.failure && <FailureMessage>{form.failure}</FailureMessage>}
        <PasswordField label={t('current')} {...form.field('password')} autoComplete="current-password" />
        <PasswordField
          label={t('new')}
          {...form.field('newPassword')}
          maxLength={MAX_PASSWORD}
          hint={t('hint', { min: MIN_PASSWORD })}
        />
        <Button type="submit" busy={form.pending}>
          {t('save')}
        </Button>
      </Form>
    </Card>
  )
}
