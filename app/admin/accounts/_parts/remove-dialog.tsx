import { toast } from 'sonner'
import { Choices } from '@/app/_ui/base/choices'
import { Dialog } from '@/app/_ui/base/dialog'
import { TextField } from '@/app/_ui/base/field'
import { Form } from '@/app/_ui/base/form'
import { FormActions } from '@/app/_ui/base/form-actions'
import { removeAccount } from '@/app/_ui/data/admin'
import { formatCount } from '@/app/_ui/data/time'
import { useForm } from '@/app/_ui/data/use-form'
import { withReason } from '@/app/admin/_parts/act'
import { invalid } from '@/lib/forms/failure'
import { textOf } from '@/lib/forms/fields'
import type { AccountDialogProps } from './account-actions'

const CHOICES = [
  { value: 'keep', title: 'Keep', hint: 'They keep working, without an owner.' },
  { value: 'delete', title: 'Delete', hint: 'They stop working. Their codes are given away again later.' },
] as const

type Props = Omit<AccountDialogProps, 'onDone'> & { onRemoved: () => void }

/** Deletes an account for good: its handle is asked for, so that it is not the neighbour's. */
export function RemoveDialog({ account, name, onRemoved, onClose }: Props) {
  const form = useForm(async (data) => {
    if (textOf(data, 'handle').trim() !== account.handle) return invalid({ handle: 'This is not the handle of the account.' })
    const result = await removeAccount(account.id, textOf(data, 'links') === 'delete' ? 'delete' : 'keep')
    if (!result.ok) return withReason(result.failure)
    toast(`${name} is deleted`)
    onRemoved()
    return null
  })
  return (
    <Dialog title={`Delete ${name}?`} description="The account, its API keys and its sessions go for good." onClose={onClose}>
      <Form name={null} ref={form.ref} onSubmit={form.onSubmit} className="space-y-5">
        <Choices
          label={`Its ${formatCount(account.links, 'link', 'links')}`}
          name="links"
          options={CHOICES}
          defaultValue="keep"
        />
        <TextField
          label={`Type the handle ${account.handle} to go on`}
          {...form.field('handle')}
          inputMode="numeric"
          autoComplete="off"
        />
        <FormActions form={form} action="Delete the account" danger onCancel={onClose} />
      </Form>
    </Dialog>
  )
}
