import { useTranslations } from '#i18n'
import { Dialog } from '@/app/_ui/base/dialog'
import { Field, inputClass, TextField } from '@/app/_ui/base/field'
import { Form } from '@/app/_ui/base/form'
import { FormActions } from '@/app/_ui/base/form-actions'
import { type FormState, useForm } from '@/app/_ui/data/use-form'
import { invalid } from '@/lib/forms/failure'
import { type FieldErrors, textOf } from '@/lib/forms/fields'
import type { Translator } from '@/lib/i18n/translate'
import { HEALTH_FILTERS } from '@/lib/links/health'
import { LINK_KINDS } from '@/lib/links/values'
import { FilingFilters } from './filing-filters'
import type { LinksView } from './links-view'

type Filters = Pick<LinksView, 'kind' | 'from' | 'to' | 'minClicks' | 'maxClicks' | 'tag' | 'folder' | 'archived' | 'health'>

interface Props {
  view: Filters
  /** The list is of one's own links, which have tags and folders. */
  isOwn: boolean
  onClose: () => void
  onChoose: (filters: Filters) => void
}

/** Which kind of links, when they were created, and how often they were clicked. */
export function LinkFiltersDialog({ view, isOwn, onClose, onChoose }: Props) {
  const t = useTranslations('linkList')
  const form = useForm(async (data) => {
    const filters = filtersOf(data)
    const errors = errorsOf(filters, t)
    if (Object.keys(errors).length > 0) return invalid(errors)
    onChoose(filters)
    return null
  })
  const { error: _none, ...kind } = form.field('kind', view.kind ?? '')
  const count = { type: 'number', inputMode: 'numeric', min: 0 } as const
  return (
    <Dialog title={t('filter.more')} onClose={onClose}>
      <Form name={null} ref={form.ref} onSubmit={form.onSubmit} className="space-y-6">
        <div className="grid gap-4 min-[400px]:grid-cols-2">
          {isOwn && <FilingFilters view={view} form={form} />}
          {isOwn && <HealthFilterField view={view} form={form} />}
          <Field label={t('filter.kind')} className="min-[400px]:col-span-2">
            {(control) => (
              <select {...control} {...kind} className={inputClass}>
                <option value="">{t('filter.anyKind')}</option>
                {LINK_KINDS.map((value) => (
                  <option key={value} value={value}>
                    {t(`kind.${value}`)}
                  </option>
                ))}
              </select>
            )}
          </Field>
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

function HealthFilterField({ view, form }: { view: Filters; form: FormState }) {
  const t = useTranslations('linkList.filter.health')
  const { error: _none, ...health } = form.field('health', view.health ?? '')
  return (
    <Field label={t('label')} className="min-[400px]:col-span-2">
      {(control) => (
        <select {...control} {...health} className={inputClass}>
          <option value="">{t('all')}</option>
          {HEALTH_FILTERS.map((value) => (
            <option key={value} value={value}>
              {t(value)}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

function filtersOf(data: FormData): Filters {
  const count = (name: string) => (textOf(data, name) === '' ? null : Number(textOf(data, name)))
  return {
    kind: LINK_KINDS.find((kind) => kind === textOf(data, 'kind')) ?? null,
    from: textOf(data, 'from') || null,
    to: textOf(data, 'to') || null,
    minClicks: count('minClicks'),
    maxClicks: count('maxClicks'),
    tag: textOf(data, 'tag') || null,
    folder: textOf(data, 'folder') || null,
    health: HEALTH_FILTERS.find((health) => health === textOf(data, 'health')) ?? null,
    archived: (['true', 'any'] as const).find((which) => which === textOf(data, 'archived')) ?? null,
  }
}

function errorsOf({ from, to, minClicks, maxClicks }: Filters, t: Translator<'linkList'>): FieldErrors {
  const errors: FieldErrors = {}
  const whole = (count: number | null) => count === null || (Number.isSafeInteger(count) && count >= 0)
  if (!whole(minClicks)) errors.minClicks = t('error.wholeNumber')
  if (!whole(maxClicks)) errors.maxClicks = t('error.wholeNumber')
  else if (minClicks !== null && maxClicks !== null && maxClicks < minClicks) errors.maxClicks = t('error.clickOrder')
  if (from && to && to < from) errors.to = t('error.dayOrder')
  return errors
}
