import { useTranslations } from '#i18n'
import { FieldError, TextField } from '@/app/_ui/base/field'
import { Select } from '@/app/_ui/base/select'
import type { FormState } from '@/app/_ui/data/use-form'
import { CHECKS, DAILY_KINDS, DATE_PATTERNS, isWholeDay, type SeriesKind } from '@/lib/series/values'
import type { Format } from './new-series'

interface Props {
  kind: SeriesKind
  form: FormState
  format: Format
  onChange: (format: Format) => void
  prefix: string
  onPrefix: (prefix: string) => void
}

/** How a number is written. */
export function FormatFields({ kind, form, format, onChange, prefix, onPrefix }: Props) {
  const t = useTranslations('series.new')
  const dates = DAILY_KINDS.includes(kind) ? DATE_PATTERNS.filter(isWholeDay) : DATE_PATTERNS
  const wrongDate = form.errors['format.date']
  return (
    <>
      <div className="grid grid-cols-2 items-start gap-3">
        <TextField
          label={t('prefix')}
          hint={t('prefixHint')}
          name="format.prefix"
          error={form.errors['format.prefix']}
          value={prefix}
          onChange={({ currentTarget }) => {
            form.clear('format.prefix')
            onPrefix(currentTarget.value)
          }}
          maxLength={20}
          autoComplete="off"
          placeholder="T-"
        />
        <TextField label={t('digits')} {...form.field('format.digits', 5)} inputMode="numeric" autoComplete="off" />
      </div>
      <div className="grid grid-cols-1 gap-x-3 gap-y-5 sm:grid-cols-2">
        <div>
          <Select
            label={t('date')}
            labelShown
            value={format.date}
            options={dates.map((value) => ({ value, label: value === 'none' ? t('noDate') : value }))}
            onChange={(date) => onChange({ ...format, date })}
          />
          {wrongDate && <FieldError id="wrong-date">{wrongDate}</FieldError>}
        </div>
        <Select
          label={t('check')}
          labelShown
          value={format.check}
          options={CHECKS.map((value) => ({ value, label: t(`checks.${value}`) }))}
          onChange={(check) => onChange({ ...format, check })}
        />
      </div>
    </>
  )
}
