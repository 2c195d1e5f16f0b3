'use client'

import { useQueryClient } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from '#i18n'
import { useFormat } from '@/app/_ui/data/format'
import { type JobStep, stepJob } from '@/app/_ui/data/jobs'
import { startVerify } from '@/app/_ui/data/moving'
import { useForm } from '@/app/_ui/data/use-form'
import { completeAddress, textOf } from '@/lib/forms/fields'
import { askedOwners } from '@/lib/jobs/asked-owners'
import { broughtBy, comparableOf } from '@/lib/jobs/brought'
import type { JobView } from '@/lib/jobs/schemas'
import { hasEnded, ROW_RESULTS } from '@/lib/jobs/values'
import { Button, buttonClass } from './button'
import { FailureMessage } from './failure'
import { addressInput, TextField } from './field'
import { Form } from './form'
import { FormActions } from './form-actions'

interface Props {
  job: JobView
  /** An undo is a job of its own. */
  onOther?: ((job: JobView) => void) | undefined
  onClose: () => void
}

/** What can be done to a job as it is now. */
export function JobSteps({ job, onOther, onClose }: Props) {
  const t = useTranslations('base.job')
  const client = useQueryClient()
  const [busy, setBusy] = useState<JobStep | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const take = async (step: JobStep) => {
    setBusy(step)
    setFailure(null)
    const result = await stepJob(job.number, step)
    setBusy(null)
    if (!result.ok) setFailure(result.failure.message)
    else if (step === 'undo') onOther?.(result.value)
    else client.setQueryData(['job', job.number], result.value)
  }
  const brought = broughtBy(job.counts)
  const isImport = onOther !== undefined && job.kind === 'import' && !job.dryRun
  const canVerify = isImport && comparableOf(job.counts) > 0
  const canUndo = isImport && job.undoneBy === null && brought > 0
  const button = (step: JobStep, label: string, look: 'primary' | 'secondary' | 'quiet' = 'secondary') => (
    <Button size="small" look={look} busy={busy === step} onClick={() => void take(step)}>
      {label}
    </Button>
  )
  return (
    <div className="flex flex-wrap items-center gap-2">
      {failure && <FailureMessage>{failure}</FailureMessage>}
      {job.state === 'checked' &&
        brought > 0 &&
        askedOwners(job).length === 0 &&
        button('start', t('start', { count: brought }), 'primary')}
      {(job.state === 'running' || job.state === 'queued') && job.kind !== 'rebuild' && button('pause', t('pause'))}
      {job.state === 'paused' && button('resume', t('resume'), 'primary')}
      {!hasEnded(job) && button('cancel', busy === 'cancel' ? t('stopping') : job.state === 'checked' ? t('discard') : t('stop'))}
      {(job.kind === 'import' || job.kind === 'undo' || job.kind === 'verify') &&
        job.done > 0 &&
        (hasEnded(job) || job.state !== 'running') && (
          <a href={`/api/v1/jobs/${job.number}/results`} download className={buttonClass('secondary', undefined, 'small')}>
            <Download aria-hidden="true" className="size-4" />
            {t('results')}
          </a>
        )}
      {hasEnded(job) && canUndo && button('undo', t('undo'))}
      {hasEnded(job) && canVerify && <VerifyJob job={job} onBegun={onOther} />}
      {hasEnded(job) && (
        <Button size="small" look="quiet" onClick={onClose}>
          {t('close')}
        </Button>
      )}
    </div>
  )
}

/** Asks where the old links are, and begins to compare. */
function VerifyJob({ job, onBegun }: { job: JobView; onBegun: (job: JobView) => void }) {
  const t = useTranslations('base.job')
  const [isOpen, setOpen] = useState(false)
  const form = useForm(async (data) => {
    const result = await startVerify(job.number, completeAddress(textOf(data, 'address')))
    if (!result.ok) return result.failure
    onBegun(result.value)
    return null
  })
  if (!isOpen) {
    return (
      <Button size="small" onClick={() => setOpen(true)}>
        {t('verify.open')}
      </Button>
    )
  }
  return (
    <Form name={null} ref={form.ref} onSubmit={form.onSubmit} aria-label={t('verify.open')} className="mt-2 w-full space-y-4">
      <TextField
        {...addressInput}
        {...form.field('address')}
        label={t('verify.address')}
        hint={t('verify.hint')}
        placeholder="https://old.example.com"
      />
      <FormActions form={form} action={t('verify.start')} onCancel={() => setOpen(false)} />
    </Form>
  )
}

/** How many rows had each result. */
export function JobCounts({ job }: { job: JobView }) {
  const t = useTranslations('base.job')
  const format = useFormat()
  const told = ROW_RESULTS.filter((result) => job.counts[result])
  if (told.length === 0) return null
  return (
    <dl className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-sm tabular-nums">
      {told.map((result) => (
        <div key={result} className="flex gap-1.5">
          <dt className="text-muted">{job.dryRun && result === 'created' ? t('result.wouldBe') : t(`result.${result}`)}</dt>
          <dd className="font-medium">{format.number(job.counts[result] ?? 0)}</dd>
        </div>
      ))}
    </dl>
  )
}
