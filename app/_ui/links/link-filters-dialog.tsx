import { useTranslations } from '#i18n'
import { Dialog } from '@/app/_ui/base/dialog'
import { TextField } from '@/app/_ui/base/field'
import { Form } from '@/app/_ui/base/form'
import { FormActions } from '@/app/_ui/base/form-actions'
import { useForm } from '@/app/_ui/data/use-form'
import { invalid } from '@/lib/forms/failure'
import { type FieldErrors, textOf } from '@/lib/forms/fields'
import type { Translator } from '@/lib/i18n/translate'
import type { LinksView } from './links-view'

type Ranges = Pick<LinksView, 'from' | 'to' | 'minClicks' | 'maxClicks'>

interface Props {
  view: Ranges
  onClose: () => void
  onChoose: (ranges: Ranges) => void
}

/** When links were created, and how often they were clicked. */
export function LinkFiltersDialog({ view, onClose, onChoose }: Props) {
  const t = useTranslations('linkList')
  const form = useForm(async (data) => {
    const ranges = rangesOf(data)
    const errors = errorsOf(ranges, t)
    if (Object.keys(errors).length > 0) return invalid(errors)
    onChoose(ranges)
    return null
  })
  const count = { type: 'number', inputMode: 'numeric', min: 0 } as const
  return (
    <Dialog title={t('filter.more')} onClose={onClose}>
      <Form name={null} ref={form.ref} onSubmit={form.onSubmit} className="space-y-6">
        <div className="grid grid-cols-2 gap-4">
          <TextField label={t('filter.createdFrom')} {...form.field('from', view.from ?? '')} type="date" />
          <TextField label={t('filter.createdTo')} {...form.field('to', view.to ?? '')} type="date" />
          <TextField label={t('filter.minClicks')} {...form.field('minClicks', view.minClicks ?? '')} {...count} />
          <TextField label={t('filter.maxClicks')} {...form.field('maxClicks', view.maxClicks ?? '')} {...count} />
        </div>
        <FormActions form={form} action={t('filter.apply')} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}

function rangesOf(data: FormData): Ranges {
  const count = (name: string) => (textOf(data, name) === '' ? null : Number(textOf(data, name)))
  return {
    from: textOf(data, 'from') || null,
    to: textOf(data, 'to') || null,
    minClicks: count('minClicks'),
    maxClicks: count('maxClicks'),
  }
}

function errorsOf({ from, to, minClicks, maxClicks }: Ranges, t: Translator<'linkList'>): FieldErrors {
  const errors: FieldErrors = {}
  const whole = (count: number | null) => count === null || (Number.isSafeInteger(count) && count >= 0)
  if (!whole(minClicks)) errors.minClicks = t('error.wholeNumber')
  if (!whole(maxClicks)) errors.maxClicks = t('error.wholeNumber')
  else if (minClicks !== null && maxClicks !== null && maxClicks < minClicks) errors.maxClicks = t('error.clickOrder')
  if (from && to && to < from) errors.to = t('error.dayOrder')
  return errors
}
