import { useTranslations } from '#i18n'
import { Field, inputClass } from '@/app/_ui/base/field'
import { getLabels } from '@/app/_ui/data/links'
import { useServerData } from '@/app/_ui/data/server-data'
import type { FormState } from '@/app/_ui/data/use-form'
import type { LabelView } from '@/lib/labels/schemas'
import type { LinksView } from './links-view'

interface Props {
  view: Pick<LinksView, 'tag' | 'folder' | 'archived'>
  form: FormState
}

/** By which tag and folder a list is narrowed, and whether it holds archived links. */
export function FilingFilters({ view, form }: Props) {
  const t = useTranslations('linkList.filter')
  const labels = useServerData(['labels'], getLabels)
  const { error: _none, ...archived } = form.field('archived', view.archived ?? '')
  return (
    <>
      <LabelField name="tag" label={t('tag')} any={t('anyTag')} value={view.tag} labels={labels.value?.tags ?? []} form={form} />
      <LabelField
        name="folder"
        label={t('folder')}
        any={t('anyFolder')}
        value={view.folder}
        labels={labels.value?.folders ?? []}
        form={form}
      />
      <Field label={t('archived')} className="min-[400px]:col-span-2">
        {(control) => (
          <select {...control} {...archived} className={inputClass}>
            <option value="">{t('archivedNot')}</option>
            <option value="true">{t('archivedOnly')}</option>
            <option value="any">{t('archivedAny')}</option>
          </select>
        )}
      </Field>
    </>
  )
}

interface LabelFieldProps {
  name: 'tag' | 'folder'
  label: string
  /** Says that it does not matter. */
  any: string
  value: string | null
  labels: readonly LabelView[]
  form: FormState
}

function LabelField({ name, label, any, value, labels, form }: LabelFieldProps) {
  const isSame = (one: string) => value !== null && one.toLowerCase() === value.toLowerCase()
  // The list may come later than the dialog, and lack what an old address names.
  const names = labels.map((one) => one.name)
  const known = names.find(isSame) ?? value
  const options = known === null || names.includes(known) ? names : [known, ...names]
  const { error: _none, ...field } = form.field(name, known ?? '')
  return (
    <Field label={label}>
      {(control) => (
        // Made again with its options, so that the one that is on stays chosen.
        <select key={options.length} {...control} {...field} className={inputClass}>
          <option value="">{any}</option>
          {options.map((option) => (
            <option key={option} value={option}>
              {option}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
