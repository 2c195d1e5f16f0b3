import { useTranslations } from '#i18n'
import { COLUMN_NAMES } from '@/lib/links/properties'

/** What a column of a file can be said to be. */
export function useColumnChoices() {
  const t = useTranslations('dashboard.import')
  return [
    { value: '', label: t('columns.nothing') },
    ...COLUMN_NAMES.map((value) => ({ value, label: value })),
    { value: 'shortUrl', label: t('columns.shortUrl') },
  ]
}
