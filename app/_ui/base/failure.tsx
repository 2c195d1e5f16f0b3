import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from '#i18n'

/** What went wrong with the whole request, read out as soon as it appears. */
export function FailureMessage({ children }: { children: ReactNode }) {
  const t = useTranslations('base.failure')
  const forms = useTranslations('forms')
  return (
    <div role="alert" className="flex gap-2.5 rounded-control bg-danger-soft px-3.5 py-3 text-sm text-danger">
      <CircleAlert aria-hidden="true" className="mt-px size-[18px] shrink-0" />
      <div className="min-w-0 text-anywhere">
        {children}
        {children === forms('signedOut') && (
          <>
            {' '}
            <a href={signInHere()} className="font-medium underline underline-offset-4">
              {t('signIn')}
            </a>
          </>
        )}
      </div>
    </div>
  )
}

/** Signs in, and comes back to this page. */
const signInHere = () =>
  typeof location === 'undefined' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`
