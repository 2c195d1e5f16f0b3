import { useTranslations } from '#i18n'
import { Dialog } from '@/app/_ui/base/dialog'
import { addressInput, TextField } from '@/app/_ui/base/field'
import { Form } from '@/app/_ui/base/form'
import { FormActions } from '@/app/_ui/base/form-actions'
import { toast } from '@/app/_ui/base/toast'
import { createDomain } from '@/app/_ui/data/admin'
import { useForm } from '@/app/_ui/data/use-form'
import { withReason } from '@/app/admin/_parts/reason-of'
import { invalid } from '@/lib/forms/failure'
import { textOf } from '@/lib/forms/fields'
import { unicodeHost } from '@/lib/net/shown-host'

interface Props {
  onAdded: () => void
  onClose: () => void
}

/** Adds a domain, which has to be verified then. */
export function AddDomainDialog({ onAdded, onClose }: Props) {
  const t = useTranslations('admin.domains.adding')
  const add = useTranslations('admin.domains')('add')
  const form = useForm(async (data) => {
    const host = textOf(data, 'host').trim()
    if (host === '') return invalid({ host: t('empty') })
    const result = await createDomain(host)
    if (!result.ok) return withReason(result.failure)
    toast(t('done', { name: unicodeHost(result.value.host) }), { description: t('next') })
    onAdded()
    onClose()
    return null
  })
  return (
    <Dialog title={t('title')} description={t('text')} onClose={onClose}>
      <Form name={null} ref={form.ref} onSubmit={form.onSubmit} aria-label={t('title')} className="space-y-6">
        <TextField label={t('host')} {...form.field('host')} {...addressInput} placeholder="go.example.com" hint={t('hint')} />
        <FormActions form={form} action={add} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}
