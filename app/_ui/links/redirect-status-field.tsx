import { useTranslations } from '#i18n'
import { Field, inputClass } from '@/app/_ui/base/field'
import type { FieldState } from '@/app/_ui/data/use-form'
import { REDIRECT_STATUSES } from '@/lib/links/values'

export function RedirectStatusField({ field: { error, ...field } }: { field: FieldState }) {
  const t = useTranslations('links.edit')
  return (
    <Field label={t('redirect')} error={error} hint={t('redirectHint')}>
      {(control) => (
        <select {...control} {...field} className={inputClass}>
          {REDIRECT_STATUSES.map((value) => (
            <option key={value} value={value}>
              {t(`redirectType.${value}`)}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
