import { useTranslations } from '#i18n'
import { SavedDialog } from '@/app/_ui/base/saved-dialog'
import type { SavedQueries } from '@/app/_ui/data/saved-queries'
import { type LinksControl, linksQuery, parseLinksView } from '@/app/_ui/links/links-view'
import { isDefaultLook, type Look, lookText, parseLook } from '@/lib/links/look'

interface Props {
  control: LinksControl
  saved: SavedQueries
  look: Look
  onLook: (look: Look) => void
  onClose: () => void
}

/** Search, filters, order and look of the list with a name: those that were saved, and a way to save the current ones. */
export function ViewsDialog({ control: { view, change }, saved, look, onLook, onClose }: Props) {
  const t = useTranslations('dashboard.views')
  const current = new URLSearchParams(linksQuery({ ...view, cursor: null }))
  if (!isDefaultLook(look)) current.set('look', lookText(look))
  const apply = (text: string) => {
    const query = new URLSearchParams(text)
    onLook(parseLook(query.get('look')))
    change(parseLinksView(query))
  }
  return (
    <SavedDialog
      words={{
        title: t('title'),
        hint: t('hint'),
        list: t('list'),
        empty: t('empty'),
        form: t('form'),
        name: t('name'),
        placeholder: t('placeholder'),
        deleteOne: (name) => t('deleteView', { name }),
      }}
      saved={saved}
      query={current.toString()}
      onApply={apply}
      onClose={onClose}
    />
  )
}
