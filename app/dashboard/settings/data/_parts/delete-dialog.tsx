import { Choices } from '@/app/_ui/base/choices'
import { TextField } from '@/app/_ui/base/field'
import { FormDialog } from '@/app/_ui/base/form-dialog'
import { PasswordField } from '@/app/_ui/base/password-field'
import { deleteAccount } from '@/app/_ui/data/account'
import { useForm } from '@/app/_ui/data/use-form'
import type { AccountView } from '@/lib/accounts/schemas'
import { invalid } from '@/lib/forms/failure'
import { textOf } from '@/lib/forms/fields'

const CHOICES = [
  {
    value: 'keep',
    title: 'Keep my links',
    hint: 'They go on leading where they lead, and belong to nobody: nobody can change them.',
  },
  { value: 'delete', title: 'Delete my links', hint: 'They stop working at once.' },
] as const

/** Asks what becomes of the links, and once more who it is. */
export function DeleteDialog({ account, onClose }: { account: AccountView; onClose: () => void }) {
  const form = useForm(async (data) => {
    const handle = textOf(data, 'handle').replace(/[\s-]/g, '')
    const password = textOf(data, 'password')
    const missing = account.hasPassword && password === ''
    if (handle !== account.handle || missing) {
      return invalid({
        handle: handle === account.handle ? undefined : `Type your handle: ${account.handle}.`,
        password: missing ? 'Enter your password.' : undefined,
      })
    }
    const links = textOf(data, 'links') === 'delete' ? 'delete' : 'keep'
    const result = await deleteAccount({ handle, links, ...(account.hasPassword && { password }) })
    if (!result.ok) return result.failure
    // A page of its own, so that nothing of the account stays behind in this one.
    location.assign('/')
    return null
  })
  return (
    <FormDialog
      title="Delete your account?"
      description="This cannot be taken back."
      form={form}
      action="Delete the account"
      danger
      onClose={onClose}
    >
      <Choices label="Your links" name="links" options={CHOICES} defaultValue="keep" />
      <TextField label={`Type your handle, ${account.handle}`} {...form.field('handle')} inputMode="numeric" autoComplete="off" />
      {account.hasPassword && <PasswordField label="Your password" {...form.field('password')} autoComplete="current-password" />}
    </FormDialog>
  )
}
