import { useTranslations } from '#i18n'
import { DashboardSkeleton } from './skeleton'

/** The numbers are on their way, or being counted for the first time: then, how many links were counted so far. */
export function Waiting({ counted }: { counted: number | null }) {
  const t = useTranslations('stats.scope')
  return (
    <>
      {counted !== null && (
        <p role="status" className="mt-5 text-sm text-muted">
          {t('counting', { counted })}
        </p>
      )}
      <DashboardSkeleton />
    </>
  )
}
