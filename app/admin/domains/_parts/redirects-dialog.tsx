import { useTranslations } from '#i18n'
import { Dialog } from '@/app/_ui/base/dialog'
import { addressInput, TextField } from '@/app/_ui/base/field'
import { Form } from '@/app/_ui/base/form'
import { FormActions } from '@/app/_ui/base/form-actions'
import { toast } from '@/app/_ui/base/toast'
import { updateDomain } from '@/app/_ui/data/admin'
import { useForm } from '@/app/_ui/data/use-form'
import { withReason } from '@/app/admin/_parts/reason-of'
import type { DomainView } from '@/lib/domains/schemas'
import { completeAddress, textOf } from '@/lib/forms/fields'

interface Props {
  domain: DomainView
  name: string
  onSaved: () => void
  onClose: () => void
}

/** Where a domain leads when no link was asked for, or none that there is. */
export function RedirectsDialog({ domain, name, onSaved, onClose }: Props) {
  const t = useTranslations('admin.domains.redirects')
  const form = useForm(async (data) => {
    const notFoundUrl = addressOf(data, 'notFoundUrl')
    const body = domain.isBase ? { notFoundUrl } : { notFoundUrl, rootUrl: addressOf(data, 'rootUrl') }
    const result = await updateDomain(domain.id, body)
    if (!result.ok) return withReason(result.failure)
    toast(t('done', { name }))
    onSaved()
    onClose()
    return null
  })
  return (
    <Dialog title={t('title', { name })} onClose={onClose}>
      <Form name={null} ref={form.ref} onSubmit={form.onSubmit} aria-label={t('form')} className="space-y-5">
        {/* The front page of this site is the form for new links. */}
        {!domain.isBase && (
          <TextField
            label={t('root')}
            {...form.field('rootUrl', domain.rootUrl ?? '')}
            {...addressInput}
            placeholder="https://"
            hint={t('rootHint')}
          />
        )}
        <TextField
          label={t('notFound')}
          {...form.field('notFoundUrl', domain.notFoundUrl ?? '')}
          {...addressInput}
          placeholder="https://"
          hint={t('notFoundHint')}
        />
        <FormActions form={form} action={t('submit')} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}

/** An empty field asks for none. */
const addressOf = (data: FormData, name: string) => completeAddress(textOf(data, name)) || null
