import { useTranslations } from '#i18n'

/** The page's outline while its numbers are on their way. */
export function DashboardSkeleton() {
  const t = useTranslations('stats')
  const card = 'rounded-card border border-line bg-surface p-4 sm:p-5'
  return (
    <div className="mt-6">
      <p role="status" className="sr-only">
        {t('page.loading')}
      </p>
      <div aria-hidden="true" className="space-y-4">
        <div className="skeleton h-11 w-full max-w-md sm:h-10" />
        <div className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4">
          {['clicks', 'visitors', 'bots', 'previews'].map((name) => (
            <div key={name} className={card}>
              <div className="skeleton h-3.5 w-16" />
              <div className="skeleton mt-3 h-7 w-24" />
              <div className="skeleton mt-3 h-3 w-20" />
            </div>
          ))}
        </div>
        <div className={card}>
          <div className="skeleton h-4 w-32" />
          <div className="skeleton mt-5 h-56 w-full" />
        </div>
        <div className="grid gap-4 lg:grid-cols-2">
          {['one', 'two'].map((name) => (
            <div key={name} className={card}>
              <div className="skeleton h-4 w-24" />
              <div className="skeleton mt-5 h-44 w-full" />
            </div>
          ))}
        </div>
      </div>
    </div>
  )
}
