import { useTranslations } from '#i18n'

/** In place of the edit form while the link is on its way. */
export function EditSkeleton() {
  const t = useTranslations('links')
  return (
    <div className="space-y-5" role="status" aria-label={t('edit.loading')}>
      {['destination', 'title', 'times', 'password'].map((part) => (
        <div key={part}>
          <div className="skeleton h-4 w-24" />
          <div className="skeleton mt-2 h-10" />
        </div>
      ))}
    </div>
  )
}
