import { useTranslations } from '#i18n'
import { DialogForm } from '@/app/_ui/base/dialog-form'
import { PasswordField } from '@/app/_ui/base/password-field'
import type { Result } from '@/app/_ui/data/http'
import { useForm } from '@/app/_ui/data/use-form'
import { invalid } from '@/lib/forms/failure'
import { textOf } from '@/lib/forms/fields'

interface Props<T> {
  /** What the button says: what will be done. */
  action: string
  /** It takes something away. */
  danger?: boolean
  send: (password: string) => Promise<Result<T>>
  onDone: (value: T) => void
  onClose: () => void
}

/** Asks, in a dialog, for the password once more before something that decides who can sign in. */
export function PasswordForm<T>({ action, danger = false, send, onDone, onClose }: Props<T>) {
  const t = useTranslations('proof')
  const form = useForm(async (data) => {
    const password = textOf(data, 'password')
    if (password === '') return invalid({ password: t('password.missing') })
    const result = await send(password)
    if (!result.ok) return result.failure
    onDone(result.value)
    return null
  })
  return (
    <DialogForm label={t('title')} form={form} action={action} danger={danger} onClose={onClose}>
      <PasswordField label={t('password.label')} {...form.field('password')} autoComplete="current-password" />
    </DialogForm>
  )
}
