import { useEffect } from 'react'
import { useTranslations } from '#i18n'
import { holdTyping, releaseTyping } from '@/app/_ui/base/type-ahead'

/** In place of the edit form while the link is on its way. What is typed meanwhile goes into the form. */
export function EditSkeleton() {
  const t = useTranslations('links')
  useEffect(() => {
    holdTyping()
    // By then the form has it; what has failed has no field.
    return () => queueMicrotask(releaseTyping)
  }, [])
  return (
    <div data-awaited className="space-y-5" role="status" aria-label={t('edit.loading')}>
      {['destination', 'title', 'times', 'password'].map((part) => (
        <div key={part}>
          <div className="skeleton h-4 w-24" />
          <div className="skeleton mt-2 h-10" />
        </div>
      ))}
    </div>
  )
}
