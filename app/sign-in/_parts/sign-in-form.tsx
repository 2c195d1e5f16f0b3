import { useRef } from 'react'
import { useTranslations } from '#i18n'
import { TextLink } from '@/app/_ui/account/narrow-page'
import { Button } from '@/app/_ui/base/button'
import { FailureMessage } from '@/app/_ui/base/failure'
import { TextField } from '@/app/_ui/base/field'
import { Form } from '@/app/_ui/base/form'
import { PasswordField } from '@/app/_ui/base/password-field'
import { signIn } from '@/app/_ui/data/auth-client'
import { useForm } from '@/app/_ui/data/use-form'
import { write } from '@/app/_ui/data/words'
import { CREDENTIALS } from '@/lib/forms/auth-words'
import { signInFailure } from '@/lib/forms/failure'
import { textOf } from '@/lib/forms/fields'
import { addressIn, readLogin } from '@/lib/forms/read'
import type { SentForm } from '@/lib/forms/sent'

interface Props {
  /** What went wrong before. */
  failure: string | null
  sent: SentForm | null
  onSignedIn: () => void
  /** The password was right, and a code is asked for. */
  onCode: () => void
  /** Something was wrong, and nobody is told what: it may be an address that is not confirmed. null: it is not that. */
  onRefused: (refused: Refused | null) => void
  /** A refusal is said above the form. */
  isSaidAbove: boolean
}

/** What was said of a sign-in that was refused, and the address that was typed for it. */
export interface Refused {
  address: string
  message: string
}

export function SignInForm({ failure, sent, onSignedIn, onCode, onRefused, isSaidAbove }: Props) {
  const t = useTranslations('account')
  const password = useRef<HTMLDivElement>(null)
  const form = useForm(async (data) => {
    const read = readLogin(data, write)
    if (!read.ok) return read.failure
    const result = await signIn(read.value)
    if (!result.ok) {
      const { fields, message } = result.failure
      onRefused(fields[CREDENTIALS] ? { address: addressIn(textOf(data, 'login')), message } : null)
      if (fields[CREDENTIALS]) password.current?.querySelector('input')?.focus()
      return signInFailure(result.failure)
    }
    if (result.value === 'second factor') onCode()
    else onSignedIn()
    return null
  }, sent)
  const said = isSaidAbove && form.errors[CREDENTIALS] ? null : form.failure
  const shown = said ?? (Object.keys(form.errors).length === 0 ? failure : null)
  return (
    <Form name="sign-in" ref={form.ref} onSubmit={form.onSubmit} aria-label={t('signIn.title')} className="space-y-4">
      {shown && <FailureMessage>{shown}</FailureMessage>}
      <TextField
        label={t('signIn.login')}
        {...form.field('login')}
        type="text"
        inputMode="email"
        autoComplete="username webauthn"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
      />
      <div ref={password}>
        <PasswordField label={t('password')} {...form.field('password')} autoComplete="current-password" />
      </div>
      <div className="flex flex-col gap-4 pt-1">
        <Button type="submit" look="primary" busy={form.pending} className="w-full">
          {form.pending ? t('signIn.submitting') : t('signIn.submit')}
        </Button>
        <TextLink href="/reset" className="self-start text-sm">
          {t('signIn.forgot')}
        </TextLink>
      </div>
    </Form>
  )
}
