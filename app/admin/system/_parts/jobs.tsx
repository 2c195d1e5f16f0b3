import { useEffect, useState } from 'react'
import { Badge, type Tone } from '@/app/_ui/base/badge'
import { Button } from '@/app/_ui/base/button'
import { Card } from '@/app/_ui/base/card'
import { useProgressText } from '@/app/_ui/base/job-progress'
import { JobRows } from '@/app/_ui/base/job-rows'
import { Moment } from '@/app/_ui/base/moment'
import { LoadMore } from '@/app/_ui/base/pager'
import { Progress } from '@/app/_ui/base/progress'
import { cancelJob, isOver, listJobs } from '@/app/_ui/data/jobs'
import { useServerData } from '@/app/_ui/data/server-data'
import { act } from '@/app/admin/_parts/act'
import { AdminFailure } from '@/app/admin/_parts/admin-failure'
import type { JobState, JobView } from '@/lib/jobs/schemas'

const STATES: Record<JobState, { text: string; tone: Tone }> = {
  queued: { text: 'Waiting', tone: 'neutral' },
  running: { text: 'Running', tone: 'warn' },
  done: { text: 'Done', tone: 'ok' },
  failed: { text: 'Failed', tone: 'danger' },
  cancelled: { text: 'Stopped', tone: 'neutral' },
}

/** Everyone's jobs, the newest first. @param at changes whenever they are to be read again */
export function Jobs({ at }: { at: string | null }) {
  const { value, failure, reload } = useServerData(['jobs'], (signal) => listJobs(null, signal))
  const [older, setOlder] = useState<JobView[]>([])
  const [cursor, setCursor] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    if (at !== null) reload()
  }, [at, reload])
  const latest = value?.jobs ?? []
  const known = new Set(latest.map(({ number }) => number))
  const jobs = [...latest, ...older.filter(({ number }) => !known.has(number))]
  const next = older.length > 0 ? cursor : (value?.nextCursor ?? null)
  const more = async () => {
    setBusy(true)
    const result = await listJobs(next)
    setBusy(false)
    if (!result.ok) return
    setOlder((before) => [...before, ...result.value.jobs])
    setCursor(result.value.nextCursor)
  }
  return (
    <Card title="Jobs">
      {failure && <AdminFailure failure={failure} stale={value !== null} onAgain={reload} />}
      {value === null && !failure && <div role="status" aria-label="Loading the jobs" className="skeleton h-24" />}
      {value !== null && jobs.length === 0 && (
        <p className="py-6 text-center text-sm text-muted">
          None in the last 30 days. Imports, exports and bulk actions appear here.
        </p>
      )}
      <ul className="divide-y divide-line">
        {jobs.map((job) => (
          <Line key={job.number} job={job} onChanged={reload} />
        ))}
      </ul>
      {next !== null && <LoadMore busy={busy} onMore={() => void more()} />}
    </Card>
  )
}

function Line({ job, onChanged }: { job: JobView; onChanged: () => void }) {
  const progress = useProgressText()
  const { text, tone } = STATES[job.state]
  const over = isOver(job)
  const stop = async () => {
    await act(cancelJob(job.number), { done: `${job.title}: stopped`, failed: `${job.title} was not stopped` })
    onChanged()
  }
  return (
    <li className="py-3 text-sm">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className="min-w-0 font-medium text-anywhere">
          <bdi>{job.title}</bdi>
        </p>
        <Badge tone={tone}>{text}</Badge>
        {!over && (
          <Button size="small" className="ml-auto" onClick={stop}>
            Stop<span className="sr-only"> {job.title}</span>
          </Button>
        )}
      </div>
      {job.state === 'running' && (
        <div className="my-2">
          <Progress label={job.title} done={job.done} total={job.total} />
        </div>
      )}
      <p className="text-[13px] text-muted tabular-nums text-anywhere">
        {job.number}, <Moment iso={job.createdAt} exact /> · {progress(job)}
      </p>
      {over && <JobRows job={job} folded />}
    </li>
  )
}
