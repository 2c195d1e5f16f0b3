import { useTranslations } from '#i18n'
import { ImportDialog } from '@/app/_ui/base/import-dialog'
import { importLinks } from '@/app/_ui/data/links'

interface Props {
  /** The list has been read, as far as it could be. */
  onOver: () => void
  onClose: () => void
}

/** Takes in links of another shortener, for the account that is signed in. */
export function ImportLinksDialog({ onOver, onClose }: Props) {
  const t = useTranslations('dashboard.import')
  return (
    <ImportDialog
      title={t('title')}
      description={t.rich('text', { code: (name) => <code>{name}</code> })}
      type="text/csv"
      accept=".csv,.tsv,.txt,text/csv"
      placeholder={'url,code,title\nhttps://example.com/a/long/page,spring-sale,Spring sale'}
      send={importLinks}
      onOver={onOver}
      onClose={onClose}
    />
  )
}
