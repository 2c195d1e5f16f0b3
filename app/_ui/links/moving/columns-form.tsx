import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Form } from '@/app/_ui/base/form'
import { FormActions } from '@/app/_ui/base/form-actions'
import { Select } from '@/app/_ui/base/select'
import type { Result } from '@/app/_ui/data/http'
import type { FileColumn } from '@/app/_ui/data/moving'
import { useForm } from '@/app/_ui/data/use-form'
import { invalid } from '@/lib/forms/failure'
import type { JobView } from '@/lib/jobs/schemas'
import { useColumnChoices } from './column-choices'

interface Props {
  columns: readonly FileColumn[]
  check: (columns: Readonly<Record<string, string>>) => Promise<Result<JobView>>
  onBegun: (job: JobView) => void
  onBack: () => void
}

/** What each column of a file is: guessed by its name, shown with what it says, and corrected here. */
export function ColumnsForm({ columns, check, onBegun, onBack }: Props) {
  const t = useTranslations('dashboard.import')
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(columns.map(({ name, property }) => [name, property ?? ''])),
  )
  const form = useForm(async () => {
    if (!Object.values(chosen).includes('url')) return invalid({}, t('columns.noUrl'))
    const result = await check(chosen)
    if (!result.ok) return result.failure
    onBegun(result.value)
    return null
  })
  const options = useColumnChoices()
  return (
    <Form name={null} ref={form.ref} onSubmit={form.onSubmit} aria-label={t('columns.title')} className="space-y-5">
      <h3 className="text-[15px] font-medium">{t('columns.title')}</h3>
      <ul className="divide-y divide-line border-y border-line">
        {columns.map(({ name, examples }) => (
          <li key={name} className="flex flex-col gap-2 py-3 sm:flex-row sm:items-center sm:gap-4">
            <span className="min-w-0 flex-1">
              <span className="block text-sm font-medium text-anywhere">{name}</span>
              <span className="line-clamp-2 text-[13px] text-muted text-anywhere">{examples.join(' · ')}</span>
            </span>
            <Select
              label={name}
              value={chosen[name] ?? ''}
              options={options}
              onChange={(property) => setChosen((before) => ({ ...before, [name]: property }))}
              className="sm:w-48"
            />
          </li>
        ))}
      </ul>
      <FormActions form={form} action={t('check')} cancel={t('back')} onCancel={onBack} />
    </Form>
  )
}
