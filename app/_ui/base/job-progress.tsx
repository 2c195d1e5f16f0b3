'use client'

import { useJob } from '@/app/_ui/data/jobs'
import { askedOwners } from '@/lib/jobs/asked-owners'
import type { JobView } from '@/lib/jobs/schemas'
import { hasEnded } from '@/lib/jobs/values'
import { JobOwners } from './job-owners'
import { JobRows } from './job-rows'
import { JobCounts, JobSteps } from './job-steps'
import { useProgressText } from './job-text'
import { Progress } from './progress'

interface Props {
  /** As it was when it began. */
  job: JobView
  onOver: (job: JobView) => void
  /** Shows another job in its place; without, an import cannot be undone here. */
  onOther?: (job: JobView) => void
  onClose: () => void
}

/** How a job goes on, what failed in it, and a way to stop it. */
export function JobProgress({ job: first, onOver, onOther, onClose }: Props) {
  const progress = useProgressText()
  const { job, failure } = useJob(first, onOver)
  const over = hasEnded(job)
  const owners = askedOwners(job)
  return (
    <section aria-label={job.title} className="appear mb-4 rounded-card border border-line bg-surface p-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-0 text-[15px] font-medium text-anywhere">{job.title}</p>
        <JobSteps job={job} onOther={onOther} onClose={onClose} />
      </div>
      <div className="mt-3">
        <Progress
          label={job.title}
          done={over && job.state === 'done' ? 1 : job.done}
          total={job.state === 'done' ? 1 : job.total}
        />
      </div>
      <p role="status" className="mt-2 text-[13px] text-muted tabular-nums">
        {failure ? failure.message : progress(job)}
      </p>
      <JobCounts job={job} />
      {(over || job.state === 'checked') && <JobRows key={job.state} job={job} />}
      {owners.length > 0 && <JobOwners job={job} owners={owners} />}
    </section>
  )
}
