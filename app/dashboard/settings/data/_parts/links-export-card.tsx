import { Download } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from '#i18n'
import { buttonClass } from '@/app/_ui/base/button'
import { Card } from '@/app/_ui/base/card'
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
type Format = (typeof FORMATS)[number]['value']

/**
 * Links alone: as an import reads them, or as redirects that another server answers. The browser itself asks for the file, and
 * saves what comes.
 */
export function LinksExportCard() {
  const t = useTranslations('settings.linksExport')
  const [format, setFormat] = useState<Format>('csv')
  const [isPacked, setPacked] = useState(false)
  const isRead = format === 'csv' || format === 'json'
  const asked = new URLSearchParams({ format, ...(isPacked && { gzip: 'true' }) })
  const options = FORMATS.map(({ value, name }) => ({ value, label: t(`formats.${name}`) }))
  return (
    <Card title={t('title')}>
      <p className="mb-4 text-sm text-muted text-pretty">{t('text')}</p>
      <Select label={t('format')} labelShown value={format} options={options} onChange={setFormat} />
      <Checkbox label={t('gzip')} checked={isPacked} onChange={setPacked} className="mt-3" />
      {!isRead && <p className="mt-3 text-sm text-muted text-pretty">{t('lost')}</p>}
      <div className="mt-4 flex flex-wrap gap-3">
        <a href={`/api/v1/links/export?${asked}`} download className={buttonClass('secondary')}>
          <Download aria-hidden="true" className="size-[18px]" />
          {t('download')}
        </a>
        {format === 'node' && (
          <a href="/assets/terse-redirects.mjs" download className={buttonClass('secondary')}>
            <Download aria-hidden="true" className="size-[18px]" />
            {t('server')}
          </a>
        )}
      </div>
    </Card>
  )
}
