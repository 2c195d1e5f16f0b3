import { useTranslations } from '#i18n'
import { Choices } from '@/app/_ui/base/choices'
import { Dialog } from '@/app/_ui/base/dialog'
import { TextField } from '@/app/_ui/base/field'
import { Form } from '@/app/_ui/base/form'
import { FormActions } from '@/app/_ui/base/form-actions'
import { toast } from '@/app/_ui/base/toast'
import { removeAccount } from '@/app/_ui/data/admin'
import { useForm } from '@/app/_ui/data/use-form'
import { withReason } from '@/app/admin/_parts/reason-of'
import { invalid } from '@/lib/forms/failure'
import { textOf } from '@/lib/forms/fields'
import type { AccountDialogProps } from './account-actions'

const CHOICES = ['keep', 'delete'] as const

type Props = Omit<AccountDialogProps, 'onDone'> & { onRemoved: () => void }

/** Deletes an account for good: its handle is asked for, so that it is not the neighbour's. */
export function RemoveDialog({ account, name, onRemoved, onClose }: Props) {
  const t = useTranslations('admin.accounts.delete')
  const form = useForm(async (data) => {
    if (textOf(data, 'handle').trim() !== account.handle) return invalid({ handle: t('wrongHandle') })
    const result = await removeAccount(account.id, textOf(data, 'links') === 'delete' ? 'delete' : 'keep')
    if (!result.ok) return withReason(result.failure)
    toast(t('done', { name }))
    onRemoved()
    return null
  })
  return (
    <Dialog title={t('title', { name })} description={t('text')} onClose={onClose}>
      <Form name={null} ref={form.ref} onSubmit={form.onSubmit} className="space-y-5">
        <Choices
          label={t('links', { count: account.links })}
          name="links"
          options={CHOICES.map((value) => ({ value, title: t(`${value}.title`), hint: t(`${value}.hint`) }))}
          defaultValue="keep"
        />
        <TextField
          label={t('handle', { handle: account.handle })}
          {...form.field('handle')}
          inputMode="numeric"
          autoComplete="off"
        />
        <FormActions form={form} action={t('submit')} danger onCancel={onClose} />
      </Form>
    </Dialog>
  )
}
