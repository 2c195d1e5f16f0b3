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
    name: 'Keep my links',
    hint: 'They go on leading where they lead, and belong to nobody: nobody can change them.',
  },
  { value: 'delete', name: 'Delete my links', hint: 'They stop working at once.' },
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
      <fieldset>
        <legend className="mb-1.5 text-sm font-medium">Your links</legend>
        <div className="divide-y divide-line rounded-control border border-line-strong bg-surface">
          {CHOICES.map(({ value, name, hint }) => (
            <label key={value} className="flex cursor-pointer items-start gap-3 px-3.5 py-3 has-checked:bg-accent-soft">
              <input
                type="radio"
                name="links"
                value={value}
                defaultChecked={value === 'keep'}
                className="mt-1 size-4 shrink-0 accent-accent"
              />
              <span>
                <span className="block text-[15px] font-medium">{name}</span>
                <span className="block text-[13px] text-muted">{hint}</span>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      <TextField
        label={`Type your handle, ${account.handle}`}
        name="handle"
        inputMode="numeric"
        autoComplete="off"
        error={form.errors.handle}
        onChange={() => form.clear('handle')}
      />
      {account.hasPassword && (
        <PasswordField
          label="Your password"
          name="password"
          autoComplete="current-password"
          error={form.errors.password}
          onChange={() => form.clear('password')}
        />
      )}
    </FormDialog>
  )
}
