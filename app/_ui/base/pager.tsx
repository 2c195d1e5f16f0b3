import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useTranslations } from '#i18n'
import { Button } from './button'

interface Props {
  /** What the pages are of. */
  label: string
  /** null: there is none before. */
  onPrevious: (() => void) | null
  onNext: (() => void) | null
}

/** From page to page of a list that is read by cursor; nothing where there is but one. */
export function Pager({ label, onPrevious, onNext }: Props) {
  const t = useTranslations('base.pages')
  if (!onPrevious && !onNext) return null
  return (
    <nav aria-label={label} className="mt-4 flex items-center justify-between gap-3">
      <Button size="small" disabled={!onPrevious} onClick={() => onPrevious?.()}>
        <ChevronLeft aria-hidden="true" className="-ml-1 size-4" />
        {t('previous')}
      </Button>
      <Button size="small" disabled={!onNext} onClick={() => onNext?.()}>
        {t('next')}
        <ChevronRight aria-hidden="true" className="-mr-1 size-4" />
      </Button>
    </nav>
  )
}

/** The same where the list grows instead. */
export function LoadMore({ busy, onMore }: { busy: boolean; onMore: () => void }) {
  const t = useTranslations('base.pages')
  return (
    <Button className="mt-3 w-full" busy={busy} onClick={onMore}>
      {busy ? t('loading') : t('more')}
    </Button>
  )
}
