import { toast } from 'sonner'
import { Dialog } from '@/app/_ui/base/dialog'
import { addressInput, TextField } from '@/app/_ui/base/field'
import { Form } from '@/app/_ui/base/form'
import { FormActions } from '@/app/_ui/base/form-actions'
import { createDomain } from '@/app/_ui/data/admin'
import { useForm } from '@/app/_ui/data/use-form'
import { withReason } from '@/app/admin/_parts/act'
import { invalid } from '@/lib/forms/failure'
import { textOf } from '@/lib/forms/fields'
import { unicodeHost } from '@/lib/net/shown-host'

interface Props {
  onAdded: () => void
  onClose: () => void
}

/** Adds a host, which is then to be proved. */
export function AddDomainDialog({ onAdded, onClose }: Props) {
  const form = useForm(async (data) => {
    const host = textOf(data, 'host').trim()
    if (host === '') return invalid({ host: 'Enter a host name.' })
    const result = await createDomain(host)
    if (!result.ok) return withReason(result.failure)
    toast(`${unicodeHost(result.value.host)} is added`, { description: 'Prove that it is yours, and it is served.' })
    onAdded()
    onClose()
    return null
  })
  return (
    <Dialog
      title="Add a domain"
      description="Links can be made on it once it points here and you have proved that it is yours."
      onClose={onClose}
    >
      <Form name={null} ref={form.ref} onSubmit={form.onSubmit} aria-label="Add a domain" className="space-y-6">
        <TextField
          label="Host"
          {...form.field('host')}
          {...addressInput}
          placeholder="go.example.com"
          hint="Without https:// and without a path."
        />
        <FormActions form={form} action="Add" onCancel={onClose} />
      </Form>
    </Dialog>
  )
}
