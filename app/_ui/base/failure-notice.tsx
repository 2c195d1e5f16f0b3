import { useTranslations } from '#i18n'
import type { Failure } from '@/lib/forms/failure'
import { Button } from './button'
import { cx } from './cx'

interface Props {
  failure: Failure
  /** What was read before is still there. */
  stale: boolean
  /** Says so, where it is no list. */
  outdated?: string
  /** What the button says. */
  again?: string
  className?: string
  onAgain: () => void
}

/** Above what could not be read, or not be brought up to date. */
export function FailureNotice({ failure, stale, outdated, again, className, onAgain }: Props) {
  const t = useTranslations('base.failure')
  return (
    <div
      role="alert"
      className={cx(
        'flex flex-wrap items-center gap-x-4 gap-y-1 rounded-control bg-warn-soft py-1.5 pr-1.5 pl-4 text-sm text-warn',
        className ?? 'mb-4',
      )}
    >
      <p className="min-w-0 flex-1 basis-60 py-1.5 text-anywhere">
        {stale && `${outdated ?? t('outdated')} `}
        {failure.message}
      </p>
      <Button size="small" onClick={onAgain}>
        {again ?? t('again')}
      </Button>
    </div>
  )
}
