'use client'

import { useEffect, useState } from 'react'
import { cancelJob, getTroubles, isOver, useJob } from '@/app/_ui/data/jobs'
import { formatNumber } from '@/app/_ui/data/numbers'
import type { JobItemView, JobView } from '@/lib/jobs/schemas'
import { Button } from './button'
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
          <Button size="small" disabled={stopping} onClick={stop}>
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
        {failure ? failure.message : wordsOf(job)}
      </p>
      {over && job.failed > 0 && <Troubles number={job.number} />}
    </section>
  )
}

function wordsOf(job: JobView): string {
  const failed = job.failed > 0 ? `, ${formatNumber(job.failed)} failed` : ''
  const count = `${formatNumber(job.done)} of ${formatNumber(job.total)}${failed}`
  switch (job.state) {
    case 'queued':
      return 'Waiting for its turn'
    case 'running':
      return count
    case 'done':
      return `Done: ${count}`
    case 'cancelled':
      return `Stopped: ${count}`
    case 'failed':
      return job.error || 'It could not be done.'
  }
}

/** The rows that failed, each with its reason. */
function Troubles({ number }: { number: string }) {
  const [items, setItems] = useState<JobItemView[]>([])
  useEffect(() => {
    const abort = new AbortController()
    void getTroubles(number, abort.signal).then((result) => {
      if (result.ok && !abort.signal.aborted) setItems(result.value.items)
    })
    return () => abort.abort()
  }, [number])
  return (
    <section
      aria-label="What failed"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
      tabIndex={0}
      className="mt-3 max-h-60 overflow-y-auto border-t border-line text-sm"
    >
      <ul className="divide-y divide-line">
        {items.map(({ position, target, message }) => (
          <li key={position} className="py-2">
            <span className="font-medium text-anywhere">{target}</span>
            <span className="block text-danger text-anywhere">{message}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
