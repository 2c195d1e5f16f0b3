import { useTranslations } from '#i18n'
import { Dialog } from '@/app/_ui/base/dialog'
import { TextField } from '@/app/_ui/base/field'
import { Form } from '@/app/_ui/base/form'
import { FormActions } from '@/app/_ui/base/form-actions'
import { fromLocalInput, toLocalInput } from '@/app/_ui/data/time'
import { useForm } from '@/app/_ui/data/use-form'
import { invalid } from '@/lib/forms/failure'
import { type FieldErrors, textOf } from '@/lib/forms/fields'
import type { Translator } from '@/lib/i18n/translate'

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
  const t = useTranslations('stats')
  const form = useForm(async (data) => {
    const [begin, end] = [fromLocalInput(textOf(data, 'from')), fromLocalInput(textOf(data, 'to'))]
    const errors = check(begin, end, t)
    if (!begin || !end || Object.keys(errors).length > 0) return invalid(errors)
    onChoose(begin, end)
    return null
  })
  return (
    <Dialog title={title} description={t('dates.hint')} onClose={onClose}>
      <Form name={null} ref={form.ref} onSubmit={form.onSubmit} className="space-y-6">
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField label={t('dates.from')} {...form.field('from', toLocalInput(from))} type="datetime-local" />
          <TextField label={t('dates.to')} {...form.field('to', toLocalInput(to))} type="datetime-local" />
        </div>
        <FormActions form={form} action={submit} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}

function check(from: string | null, to: string | null, t: Translator<'stats'>): FieldErrors {
  if (!from) return { from: t('dates.error.from') }
  if (!to) return { to: t('dates.error.to') }
  const [begin, end] = [Date.parse(from), Date.parse(to)]
  if (begin >= Date.now()) return { from: t('dates.error.future') }
  if (end <= begin) return { to: t('dates.error.order') }
  if (begin < Date.UTC(1970, 0, 2)) return { from: t('dates.error.early') }
  if (end >= Date.UTC(2199, 0, 1)) return { to: t('dates.error.late') }
  return {}
}
