import { toast } from 'sonner'
import { Dialog } from '@/app/_ui/base/dialog'
import { TextAreaField, TextField } from '@/app/_ui/base/field'
import { Form } from '@/app/_ui/base/form'
import { FormActions } from '@/app/_ui/base/form-actions'
import { banAccount } from '@/app/_ui/data/admin'
import { fromLocalInput, localInput } from '@/app/_ui/data/time'
import { useForm } from '@/app/_ui/data/use-form'
import { withReason } from '@/app/admin/_parts/act'
import { invalid } from '@/lib/forms/failure'
import { textOf } from '@/lib/forms/fields'
import type { AccountDialogProps } from './account-actions'

/** Shuts an account out, with a reason, for good or until a time. */
export function BanDialog({ account, name, onDone, onClose }: AccountDialogProps) {
  const form = useForm(async (data) => {
    const until = fromLocalInput(textOf(data, 'until'))
    if (until !== null && !(Date.parse(until) > Date.now())) return invalid({ until: 'Choose a time that is still to come.' })
    const result = await banAccount(account.id, { reason: textOf(data, 'reason'), until })
    if (!result.ok) return withReason(result.failure)
    toast(`${name} is banned`)
    onDone()
    onClose()
    return null
  })
  return (
    <Dialog
      title={`Ban ${name}?`}
      description="It is signed out everywhere at once, and its API keys are refused. Its links stay as they are."
      onClose={onClose}
    >
      <Form name={null} ref={form.ref} onSubmit={form.onSubmit} className="space-y-5">
        <TextAreaField
          label="Reason (optional)"
          {...form.field('reason')}
          maxLength={255}
          hint="Shown when someone signs in with this account."
        />
        <TextField
          label="Until (optional)"
          {...form.field('until')}
          type="datetime-local"
          min={localInput(new Date())}
          hint="Empty: until an admin lifts it."
        />
        <FormActions form={form} action="Ban" danger onCancel={onClose} />
      </Form>
    </Dialog>
  )
}
