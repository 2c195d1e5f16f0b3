import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { EmptyState } from '@/app/_ui/base/empty-state'
import { EMPTY_VIEW, isNarrowed, type LinksControl, type LinksView } from '@/app/_ui/links/links-view'

interface Props {
  control: LinksControl
  /** There are links that have not been looked through yet. */
  more: boolean
  onCreate: () => void
}

/** Why there is nothing to see, and what to do about it. */
export function EmptyLinks({ control: { view, change }, more, onCreate }: Props) {
  const t = useTranslations('dashboard')
  const reason = reasonOf(view, more)
  return (
    <EmptyState title={t(`empty.${reason}.title`)} text={t(`empty.${reason}.text`)}>
      {reason === 'none' && (
        <Button look="primary" onClick={onCreate}>
          {t('links.create')}
        </Button>
      )}
      {(reason === 'pastEnd' || reason === 'deleted' || reason === 'noMatch') && (
        <Button look="primary" onClick={() => change(EMPTY_VIEW)}>
          {t('empty.showAll')}
        </Button>
      )}
    </EmptyState>
  )
}

function reasonOf(view: LinksView, more: boolean): 'more' | 'pastEnd' | 'deleted' | 'noMatch' | 'none' {
  if (more) return 'more'
  if (view.cursor !== null) return 'pastEnd'
  if (view.state === 'deleted' && !isNarrowed({ ...view, state: null })) return 'deleted'
  return isNarrowed(view) ? 'noMatch' : 'none'
}
