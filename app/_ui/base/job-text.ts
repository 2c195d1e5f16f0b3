import { useTranslations } from '#i18n'
import { useFormat } from '@/app/_ui/data/format'
import type { JobView } from '@/lib/jobs/schemas'

/** How far a job has come, in words. */
export function useProgressText(): (job: JobView) => string {
  const t = useTranslations('base.job')
  const format = useFormat()
  return (job) => {
    if (job.state === 'queued') return t('queued')
    if (job.state === 'failed') return job.error || t('failed')
    const { done, total } = job
    return [
      job.state !== 'running' && t(`state.${job.state}`),
      // How many there are may not be known before they are found.
      total > 0 ? t('of', { done, total }) : format.number(done),
      job.failed > 0 && t('failures', { count: job.failed }),
      job.state === 'running' && job.waitsUntil && t('waits', { time: format.clock(job.waitsUntil) }),
    ]
      .filter(Boolean)
      .join(' · ')
  }
}
