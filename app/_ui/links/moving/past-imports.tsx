import type { ReactNode } from 'react'
import { useTranslations } from '#i18n'
import { useProgressText } from '@/app/_ui/base/job-text'
import { LocalTime } from '@/app/_ui/base/local-time'
import type { JobView } from '@/lib/jobs/schemas'

interface Props {
  jobs: readonly JobView[]
  /** What shows one of them. @param name what it is called */
  show: (job: JobView, name: string) => ReactNode
  /** By what is above it. */
  heading: 'h2' | 'h3'
}

/** Imports that are not over, and the latest that are: what they did can still be undone and compared. */
export function PastImports({ jobs, show, heading: Heading }: Props) {
  const t = useTranslations('dashboard.import.past')
  const progress = useProgressText()
  if (jobs.length === 0) return null
  return (
    <section aria-label={t('title')} className="mb-5 rounded-card border border-line bg-bg px-3 py-2">
      <Heading className="text-[13px] font-medium text-muted">{t('title')}</Heading>
      <ul className="divide-y divide-line">
        {jobs.map((job) => (
          <li key={job.number} className="flex items-center justify-between gap-3 py-2">
            <div className="min-w-0 text-sm">
              <p className="font-medium text-anywhere">{job.title}</p>
              <p className="text-[13px] text-muted tabular-nums text-anywhere">
                {progress(job)} · <LocalTime iso={job.createdAt} />
              </p>
            </div>
            {show(job, t('showOne', { title: job.title }))}
          </li>
        ))}
      </ul>
    </section>
  )
}
