import { useTranslations } from '#i18n'
import { TextField } from '@/app/_ui/base/field'
import { PasswordField } from '@/app/_ui/base/password-field'
import type { FormState } from '@/app/_ui/data/use-form'
import { MAX_PASSWORD, MIN_PASSWORD } from '@/lib/accounts/names'

/** What a new account asks for: `name`, `email`, `password`. @param email the only one that it may be; '' for any */
export function PersonFields({ form, email = '' }: { form: FormState; email?: string }) {
  const t = useTranslations('account')
  return (
    <>
      <TextField label={t('signUp.name')} {...form.field('name')} autoComplete="name" maxLength={100} />
      <TextField
        label={t('email')}
        {...form.field('email')}
        type="email"
        autoComplete="username"
        defaultValue={email || form.typed.email}
        readOnly={email !== ''}
        hint={email === '' ? undefined : t('signUp.invitedEmail')}
      />
      <PasswordField
        label={t('password')}
        {...form.field('password')}
        maxLength={MAX_PASSWORD}
        hint={t('passwordHint', { min: MIN_PASSWORD })}
      />
    </>
  )
}
