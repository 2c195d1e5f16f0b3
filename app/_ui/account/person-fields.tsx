import { TextField } from '@/app/_ui/base/field'
import { PasswordField } from '@/app/_ui/base/password-field'
import type { FormState } from '@/app/_ui/data/use-form'
import { MAX_PASSWORD, MIN_PASSWORD } from '@/lib/accounts/names'

/** What a new account asks for: `name`, `email`, `password`. @param email the only one that it may be; '' for any */
export function PersonFields({ form, email = '' }: { form: FormState; email?: string }) {
  return (
    <>
      <TextField label="Name" {...form.field('name')} autoComplete="name" maxLength={100} />
      <TextField
        label="E-mail address"
        {...form.field('email')}
        type="email"
        autoComplete="username"
        defaultValue={email || form.typed.email}
        readOnly={email !== ''}
        hint={email === '' ? undefined : 'The invitation is for this address.'}
      />
      <PasswordField
        label="Password"
        {...form.field('password')}
        maxLength={MAX_PASSWORD}
        hint={`At least ${MIN_PASSWORD} characters. Long is better than complicated.`}
      />
    </>
  )
}
