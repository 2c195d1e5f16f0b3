import { FormDialog } from '@/app/_ui/base/form-dialog'
import { PasswordField } from '@/app/_ui/base/password-field'
import { textOf } from '@/app/_ui/data/form'
import type { Result } from '@/app/_ui/data/http'
import { useForm, wrong } from '@/app/_ui/data/use-form'

interface Props<T> {
  title: string
  text: string
  /** What the button says: what will be done. */
  action: string
  /** It takes something away. */
  danger?: boolean
  send: (password: string) => Promise<Result<T>>
  onDone: (value: T) => void
  onClose: () => void
}

/** Asks for the password once more before something that decides who can sign in. */
export function PasswordDialog<T>({ title, text, action, danger = false, send, onDone, onClose }: Props<T>) {
  const form = useForm(async (data) => {
    const password = textOf(data, 'password')
    if (password === '') return wrong({ password: 'Enter your password.' })
    const result = await send(password)
    if (!result.ok) return result.failure
    onDone(result.value)
    return null
  })
  return (
    <FormDialog title={title} description={text} form={form} action={action} danger={danger} onClose={onClose}>
      <PasswordField
        label="Your password"
        name="password"
        autoComplete="current-password"
        error={form.errors.password}
        onChange={() => form.clear('password')}
      />
    </FormDialog>
  )
}
