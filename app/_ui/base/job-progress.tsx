'use client'

import { useState } from 'react'
import { cancelJob, isOver, useJob } from '@/app/_ui/data/jobs'
import { formatNumber } from '@/app/_ui/data/numbers'
import { formatClock } from '@/app/_ui/data/time'
import type { JobView } from '@/lib/jobs/schemas'
import { Button } from './button'
import { JobRows } from './job-rows'
import { Progress } from './progress'

interface Props {
  /** As it was when it began. */
  job: JobView
  onOver: (job: JobView) => void
  onClose: () => void
}

/** How a job goes on, what failed in it, and a way to stop it. */
export function JobProgress({ job: first, onOver, onClose }: Props) {
  const { job, failure } = useJob(first, onOver)
  const [stopping, setStopping] = useState(false)
  const over = isOver(job)
  const stop = async () => {
    setStopping(true)
    const result = await cancelJob(job.number)
    if (!result.ok) setStopping(false)
  }
  return (
    <section aria-label={job.title} className="appear mb-4 rounded-card border border-line bg-surface p-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-0 text-[15px] font-medium text-anywhere">{job.title}</p>
        {over ? (
          <Button size="small" look="quiet" onClick={onClose}>
            Close
          </Button>
        ) : (
          <Button size="small" busy={stopping} onClick={stop}>
            {stopping ? 'Stopping…' : 'Stop'}
          </Button>
        )}
      </div>
      <div className="mt-3">
        <Progress
          label={job.title}
          done={over && job.state === 'done' ? 1 : job.done}
          total={job.state === 'done' ? 1 : job.total}
        />
      </div>
      <p role="status" className="mt-2 text-[13px] text-muted tabular-nums">
        {failure ? failure.message : progressText(job)}
      </p>
      {over && <JobRows job={job} />}
    </section>
  )
}

/** How far a job has come, in words. */
export function progressText(job: JobView): string {
  const failed = job.failed > 0 ? `, ${formatNumber(job.failed)} failed` : ''
  // How many there are may not be known before they are found.
  const of = job.total > 0 ? ` of ${formatNumber(job.total)}` : ''
  const count = `${formatNumber(job.done)}${of}${failed}`
  switch (job.state) {
    case 'queued':
      return 'Waiting for its turn'
    case 'running':
      if (job.waitsUntil)
        return `${count}. Your account has made as many links as it may in a minute. Goes on at ${formatClock(job.waitsUntil)}`
      return count
    case 'done':
      return `Done: ${count}`
    case 'cancelled':
      return `Stopped: ${count}`
    case 'failed':
      return job.error || 'It could not be done.'
  }
}
