import { Dialog } from '@/app/_ui/base/dialog'
import { TextField } from '@/app/_ui/base/field'
import { Form } from '@/app/_ui/base/form'
import { FormActions } from '@/app/_ui/base/form-actions'
import { fromLocalInput, toLocalInput } from '@/app/_ui/data/time'
import { useForm } from '@/app/_ui/data/use-form'
import { invalid } from '@/lib/forms/failure'
import { type FieldErrors, textOf } from '@/lib/forms/fields'

interface Props {
  title: string
  /** On the button that takes the range. */
  submit: string
  from: string
  to: string
  onClose: () => void
  onChoose: (from: string, to: string) => void
}

/** Any range, in the time of this browser. */
export function RangeDialog({ title, submit, from, to, onClose, onChoose }: Props) {
  const form = useForm(async (data) => {
    const [begin, end] = [fromLocalInput(textOf(data, 'from')), fromLocalInput(textOf(data, 'to'))]
    const errors = check(begin, end)
    if (!begin || !end || Object.keys(errors).length > 0) return invalid(errors)
    onChoose(begin, end)
    return null
  })
  return (
    <Dialog title={title} description="In the time of this browser." onClose={onClose}>
      <Form name={null} ref={form.ref} onSubmit={form.onSubmit} className="space-y-6">
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField label="From" {...form.field('from', toLocalInput(from))} type="datetime-local" />
          <TextField label="To" {...form.field('to', toLocalInput(to))} type="datetime-local" />
        </div>
        <FormActions form={form} action={submit} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}

function check(from: string | null, to: string | null): FieldErrors {
  if (!from) return { from: 'Choose when it begins.' }
  if (!to) return { to: 'Choose when it ends.' }
  const [begin, end] = [Date.parse(from), Date.parse(to)]
  if (begin >= Date.now()) return { from: 'Choose a time that has passed.' }
  if (end <= begin) return { to: 'Choose an end after the beginning.' }
  if (begin < Date.UTC(1970, 0, 2)) return { from: 'Choose a later year.' }
  if (end >= Date.UTC(2199, 0, 1)) return { to: 'Choose an earlier year.' }
  return {}
}
