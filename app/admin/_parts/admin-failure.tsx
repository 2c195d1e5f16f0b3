import { useTranslations } from '#i18n'
import { LinkButton } from '@/app/_ui/base/button'
import { FailureNotice } from '@/app/_ui/base/failure-notice'
import type { Failure } from '@/lib/forms/failure'

interface Props {
  failure: Failure
  /** What was read before is still there. */
  stale: boolean
  onAgain: () => void
}

/** What could not be read, and what to do about it. */
export function AdminFailure({ failure, stale, onAgain }: Props) {
  const t = useTranslations('admin')
  if (failure.kind !== 'refused') return <FailureNotice failure={failure} stale={stale} onAgain={onAgain} />
  return (
    <div
      role="alert"
      className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-1 rounded-control bg-danger-soft py-1.5 pr-1.5 pl-4 text-sm text-danger"
    >
      <p className="min-w-0 flex-1 basis-60 py-1.5">{t('signedOut')}</p>
      <LinkButton href="/sign-in?next=%2Fadmin" size="small">
        {t('signIn')}
      </LinkButton>
    </div>
  )
}
