import { TriangleAlert } from 'lucide-react'
import { useTranslations } from '#i18n'
import { useFormat } from '@/app/_ui/data/format'
import type { LinkView } from '@/lib/links/schemas'

/** What is wrong with the destination of a link, and why it is paused; nothing for most links. */
export function HealthLine({ view: { health, state, url } }: { view: LinkView }) {
  const t = useTranslations('links.health')
  const format = useFormat()
  if (!health && state !== 'paused') return null
  const what = health && t(`reason.${health.reason}`, { status: health.status ?? '' })
  return (
    <div className="flex gap-2.5 rounded-control border border-line bg-bg px-3 py-2.5 text-sm">
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-danger" />
      <div className="min-w-0 space-y-1 text-anywhere">
        {state === 'paused' && !health && <p>{t('reason.threat')}</p>}
        {what && health && <p>{t('since', { what, since: format.day(health.since), checked: format.day(health.checkedAt) })}</p>}
        {health && health.destination !== url && <p>{t('where', { destination: health.destination })}</p>}
        {state === 'paused' && <p className="text-muted">{t('paused')}</p>}
      </div>
    </div>
  )
}
