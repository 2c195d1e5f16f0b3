import { Download } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from '#i18n'
import { buttonClass } from '@/app/_ui/base/button'
import { Card } from '@/app/_ui/base/card'
import { ExportFormatFields, exportQuery, FIRST_FORMAT } from '@/app/_ui/links/export-format'

/**
 * Links alone: as an import reads them, or as redirects that another server answers. The browser itself asks for the file, and
 * saves what comes.
 */
export function LinksExportCard() {
  const t = useTranslations('linksExport')
  const [chosen, setChosen] = useState(FIRST_FORMAT)
  return (
    <Card title={t('title')}>
      <p className="mb-4 text-sm text-muted text-pretty">{t('text')}</p>
      <ExportFormatFields value={chosen} onChange={setChosen} />
      <div className="mt-4 flex flex-wrap gap-3">
        <a href={`/api/v1/links/export?${exportQuery(chosen)}`} download className={buttonClass('secondary')}>
          <Download aria-hidden="true" className="size-[18px]" />
          {t('download')}
        </a>
        {chosen.format === 'node' && (
          <a href="/assets/terse-redirects.mjs" download className={buttonClass('secondary')}>
            <Download aria-hidden="true" className="size-[18px]" />
            {t('server')}
          </a>
        )}
      </div>
    </Card>
  )
}
