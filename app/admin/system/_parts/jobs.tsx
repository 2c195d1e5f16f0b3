import { useEffect, useState } from 'react'
import { useTranslations } from '#i18n'
import { Badge, type Tone } from '@/app/_ui/base/badge'
import { Button } from '@/app/_ui/base/button'
import { Card } from '@/app/_ui/base/card'
import { JobRows } from '@/app/_ui/base/job-rows'
import { useProgressText } from '@/app/_ui/base/job-text'
import { Moment } from '@/app/_ui/base/moment'
import { LoadMore } from '@/app/_ui/base/pager'
import { Progress } from '@/app/_ui/base/progress'
import { cancelJob, listJobs } from '@/app/_ui/data/jobs'
import { useServerData } from '@/app/_ui/data/server-data'
import { AdminFailure } from '@/app/admin/_parts/admin-failure'
import { useAct } from '@/app/admin/_parts/use-act'
import type { JobState, JobView } from '@/lib/jobs/schemas'
import { hasEnded } from '@/lib/jobs/values'

const TONES: Record<JobState, Tone> = {
  queued: 'neutral',
  running: 'warn',
  paused: 'neutral',
  checked: 'neutral',
  done: 'ok',
  failed: 'danger',
  cancelled: 'neutral',
}

/** Everyone's jobs, the newest first. @param at changes whenever they are to be read again */
export function Jobs({ at }: { at: string | null }) {
  const t = useTranslations('system.jobs')
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
    <Card title={t('title')}>
      {failure && <AdminFailure failure={failure} stale={value !== null} onAgain={reload} />}
      {value === null && !failure && <div role="status" aria-label={t('loading')} className="skeleton h-24" />}
      {value !== null && jobs.length === 0 && <p className="py-6 text-center text-sm text-muted">{t('empty')}</p>}
      <ul className="divide-y divide-line">
        {jobs.map((job) => (
          <Line key={job.number} job={job} onChanged={reload} />
        ))}
      </ul>
      {next !== null && <LoadMore busy={busy} onMore={() => void more()} />}
    </Card>
  )
}

/** It cannot be stopped once it has begun. */
const hasToEnd = ({ kind, startedAt }: JobView) => kind === 'case' && startedAt !== null

function Line({ job, onChanged }: { job: JobView; onChanged: () => void }) {
  const t = useTranslations('system.jobs')
  const progress = useProgressText()
  const { act } = useAct()
  const over = hasEnded(job)
  const stop = async () => {
    await act(cancelJob(job.number), {
      done: t('stopped', { title: job.title }),
      failed: t('notStopped', { title: job.title }),
    })
    onChanged()
  }
  return (
    <li className="py-3 text-sm">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className="min-w-0 font-medium text-anywhere">
          <bdi>{job.title}</bdi>
        </p>
        <Badge tone={TONES[job.state]}>{t(`state.${job.state}`)}</Badge>
        {!over && !hasToEnd(job) && (
          <Button size="small" aria-label={t('stopOne', { title: job.title })} className="ml-auto" onClick={stop}>
            {t('stop')}
          </Button>
        )}
      </div>
      {job.state === 'running' && (
        <div className="my-2">
          <Progress label={job.title} done={job.done} total={job.total} />
        </div>
      )}
      <p className="text-[13px] text-muted tabular-nums text-anywhere">
        {job.number} · <Moment iso={job.createdAt} exact /> · {progress(job)}
      </p>
      {over && <JobRows job={job} folded />}
    </li>
  )
}
