import { useTranslations } from '#i18n'
import { Dialog } from '@/app/_ui/base/dialog'
import { TextAreaField, TextField } from '@/app/_ui/base/field'
import { Form } from '@/app/_ui/base/form'
import { FormActions } from '@/app/_ui/base/form-actions'
import { toast } from '@/app/_ui/base/toast'
import { banAccount } from '@/app/_ui/data/admin'
import { fromLocalInput, localInput } from '@/app/_ui/data/time'
import { useForm } from '@/app/_ui/data/use-form'
import { withReason } from '@/app/admin/_parts/reason-of'
import { invalid } from '@/lib/forms/failure'
import { textOf } from '@/lib/forms/fields'
import type { AccountDialogProps } from './account-actions'

/** Shuts an account out, with a reason, for good or until a time. */
export function BanDialog({ account, name, onDone, onClose }: AccountDialogProps) {
  const t = useTranslations('admin.accounts.ban')
  const reason = useTranslations('admin')('reason')
  const form = useForm(async (data) => {
    const until = fromLocalInput(textOf(data, 'until'))
    if (until !== null && !(Date.parse(until) > Date.now())) return invalid({ until: t('past') })
    const result = await banAccount(account.id, { reason: textOf(data, 'reason'), until })
    if (!result.ok) return withReason(result.failure)
    toast(t('done', { name }))
    onDone()
    onClose()
    return null
  })
  return (
    <Dialog title={t('title', { name })} description={t('text')} onClose={onClose}>
      <Form name={null} ref={form.ref} onSubmit={form.onSubmit} className="space-y-5">
        <TextAreaField label={reason} {...form.field('reason')} maxLength={255} hint={t('reasonHint')} />
        <TextField
          label={t('until')}
          {...form.field('until')}
          type="datetime-local"
          min={localInput(new Date())}
          hint={t('untilHint')}
        />
        <FormActions form={form} action={t('submit')} danger onCancel={onClose} />
      </Form>
    </Dialog>
  )
}
