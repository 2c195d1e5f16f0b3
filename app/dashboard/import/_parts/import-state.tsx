import { useTranslations } from '#i18n'
import { Button, buttonClass } from '@/app/_ui/base/button'
import { FailureMessage } from '@/app/_ui/base/failure'
import { addressInput, TextField } from '@/app/_ui/base/field'
import { Form } from '@/app/_ui/base/form'
import { OwnerFields } from '@/app/_ui/base/owner-fields'
import { Progress } from '@/app/_ui/base/progress'
import type { SentForm } from '@/lib/forms/sent'
import { askedOwners } from '@/lib/jobs/asked-owners'
import { broughtBy, comparableOf } from '@/lib/jobs/brought'
import type { JobItemView, JobView } from '@/lib/jobs/schemas'
import { hasEnded, ROW_RESULTS } from '@/lib/jobs/values'

interface Props {
  job: JobView
  /** Rows that failed, the first of them. */
  failed: readonly JobItemView[]
  /** What came of the last step. */
  sent: SentForm | null
}

/** How often a page without scripts is loaded again while the import goes on, in s. */
const EVERY = 3

/** An import as it is now, and buttons for what can be done to it. The page loads again while there is something to see. */
export function ImportState({ job, failed, sent }: Props) {
  const t = useTranslations('dashboard.import')
  const says = useTranslations('base.job')
  const isMoving = job.state === 'queued' || job.state === 'running'
  const isOver = hasEnded(job)
  const brought = broughtBy(job.counts)
  const owners = askedOwners(job)
  const isDone = isOver && job.kind === 'import' && !job.dryRun
  const state = job.state === 'queued' ? says('queued') : job.state === 'failed' ? job.error || says('failed') : null
  return (
    <section aria-label={job.title} className="rounded-card border border-line bg-surface p-4 sm:p-5">
      {isMoving && <meta httpEquiv="refresh" content={String(EVERY)} />}
      {sent?.failure && <FailureMessage>{sent.failure}</FailureMessage>}
      <h2 className="mb-3 text-[15px] font-medium text-anywhere">{job.title}</h2>
      <Progress label={job.title} done={job.state === 'done' ? 1 : job.done} total={job.state === 'done' ? 1 : job.total} />
      <p role="status" className="mt-2 text-[13px] text-muted tabular-nums">
        {state ?? says('of', { done: job.done, total: job.total })}
      </p>
      <Counts job={job} />
      <Form name="import-step" className="mt-4 flex flex-wrap items-center gap-2">
        {owners.length > 0 && (
          <div className="mb-2 w-full">
            <OwnerFields owners={owners} typed={sent?.values ?? {}} errors={sent?.errors ?? {}} />
          </div>
        )}
        {job.state === 'checked' && brought > 0 && step('start', says('start', { count: brought }), 'primary')}
        {isMoving && step('pause', says('pause'))}
        {job.state === 'paused' && step('resume', says('resume'), 'primary')}
        {!isOver && step('cancel', job.state === 'checked' ? says('discard') : says('stop'))}
        {isDone && job.undoneBy === null && brought > 0 && step('undo', says('undo'))}
        {job.done > 0 && !isMoving && (
          <a href={`/api/v1/jobs/${job.number}/results`} download className={buttonClass('secondary', undefined, 'small')}>
            {says('results')}
          </a>
        )}
        <a href={`/dashboard/import${isMoving ? `?job=${job.number}` : ''}`} className={buttonClass('quiet', undefined, 'small')}>
          {isMoving ? t('refresh') : t('again')}
        </a>
      </Form>
      {isDone && comparableOf(job.counts) > 0 && (
        <Form name="import-step" aria-label={says('verify.open')} className="mt-4 space-y-4 border-t border-line pt-4">
          <TextField
            {...addressInput}
            label={says('verify.address')}
            hint={says('verify.hint')}
            name="address"
            defaultValue={sent?.values.address}
            error={sent?.errors.address}
            placeholder="https://old.example.com"
          />
          {step('verify', says('verify.open'))}
        </Form>
      )}
      {failed.length > 0 && (
        <section aria-label={says('failedRows')} className="mt-4 border-t border-line pt-3 text-sm">
          <h3 className="font-medium">
            {failed.length < job.failed ? t('failedRows', { count: failed.length }) : says('failedRows')}
          </h3>
          <ul className="divide-y divide-line">
            {failed.map(({ position, line, target, message }) => (
              <li key={position} className="py-2 text-anywhere">
                <span className="font-medium">{line === null ? target : t('row', { line, target })}</span>
                <span className="block text-danger">{message}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </section>
  )
}

const step = (name: string, label: string, look: 'primary' | 'secondary' = 'secondary') => (
  <Button type="submit" name="step" value={name} size="small" look={look}>
    {label}
  </Button>
)

/** How many rows had each result. */
function Counts({ job }: { job: JobView }) {
  const t = useTranslations('base.job')
  const told = ROW_RESULTS.filter((result) => job.counts[result])
  if (told.length === 0) return null
  return (
    <dl className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-sm tabular-nums">
      {told.map((result) => (
        <div key={result} className="flex gap-1.5">
          <dt className="text-muted">{job.dryRun && result === 'created' ? t('result.wouldBe') : t(`result.${result}`)}</dt>
          <dd className="font-medium">{job.counts[result]}</dd>
        </div>
      ))}
    </dl>
  )
}
