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
import type { Failure } from '@/lib/forms/failure'
import { completeAddress, textOf } from '@/lib/forms/fields'

interface Props {
  domain: DomainView
  name: string
  onSaved: () => void
  onClose: () => void
}

/** Where the old shortener of a domain is reached, and by which name it knows itself. */
export function UpstreamDialog({ domain, name, onSaved, onClose }: Props) {
  const t = useTranslations('admin.domains.upstream.dialog')
  const form = useForm(async (data) => {
    const host = textOf(data, 'host').trim() || null
    const result = await updateDomain(domain.id, { upstream: { url: completeAddress(textOf(data, 'url')), host } })
    if (!result.ok) return atFields(withReason(result.failure))
    toast(t('done', { name }))
    onSaved()
    onClose()
    return null
  })
  return (
    <Dialog title={t('title', { name })} onClose={onClose}>
      <Form name={null} ref={form.ref} onSubmit={form.onSubmit} aria-label={t('form')} className="space-y-5">
        <p>{t('text')}</p>
        <TextField
          label={t('url')}
          {...form.field('url', domain.upstream?.url ?? '')}
          {...addressInput}
          placeholder="http://192.0.2.10"
          required
          hint={t('urlHint', { name })}
        />
        <TextField
          label={t('host')}
          {...form.field('host', domain.upstream?.host ?? '')}
          {...addressInput}
          placeholder={domain.host}
          hint={t('hostHint', { name })}
        />
        <FormActions form={form} action={t('submit')} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}

/** The API calls the fields `upstream.url` and `upstream.host`. */
const atFields = (failure: Failure): Failure => ({
  ...failure,
  fields: Object.fromEntries(Object.entries(failure.fields).map(([name, text]) => [name.replace(/^upstream\./, ''), text])),
})
