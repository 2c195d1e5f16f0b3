import { useTranslations } from '#i18n'
import { Checkbox } from '@/app/_ui/base/checkbox'
import { Select } from '@/app/_ui/base/select'

/** What the API calls each format, and its name here. */
const FORMATS = [
  { value: 'csv', name: 'csv' },
  { value: 'json', name: 'json' },
  { value: 'nginx', name: 'nginx' },
  { value: 'apache', name: 'apache' },
  { value: 'redirects', name: 'redirects' },
  { value: 's3-objects', name: 's3objects' },
  { value: 's3-rules', name: 's3rules' },
  { value: 'node', name: 'node' },
] as const

/** How links are exported. */
export interface ExportFormat {
  format: (typeof FORMATS)[number]['value']
  isPacked: boolean
}

export const FIRST_FORMAT: ExportFormat = { format: 'csv', isPacked: false }

/** As the API is asked. */
export const exportQuery = ({ format, isPacked }: ExportFormat): URLSearchParams =>
  new URLSearchParams({ format, ...(isPacked && { gzip: 'true' }) })

interface Props {
  value: ExportFormat
  onChange: (value: ExportFormat) => void
}

/** Chooses a format, and says what it can’t carry. */
export function ExportFormatFields({ value, onChange }: Props) {
  const t = useTranslations('linksExport')
  const { format, isPacked } = value
  const isRead = format === 'csv' || format === 'json'
  const options = FORMATS.map((one) => ({ value: one.value, label: t(`formats.${one.name}`) }))
  return (
    <>
      <Select
        label={t('format')}
        labelShown
        value={format}
        options={options}
        onChange={(next) => onChange({ ...value, format: next })}
      />
      <Checkbox
        label={t('gzip')}
        checked={isPacked}
        onChange={(next) => onChange({ ...value, isPacked: next })}
        className="mt-3"
      />
      {!isRead && <p className="mt-3 text-sm text-muted text-pretty">{t('lost')}</p>}
    </>
  )
}
