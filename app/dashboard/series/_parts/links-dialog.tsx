import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Dialog } from '@/app/_ui/base/dialog'
import { DialogForm } from '@/app/_ui/base/dialog-form'
import { addressInput, TextField } from '@/app/_ui/base/field'
import { JobProgress } from '@/app/_ui/base/job-progress'
import { createSeriesLinks } from '@/app/_ui/data/series'
import { useForm } from '@/app/_ui/data/use-form'
import { write } from '@/app/_ui/data/words'
import { spokenFailure } from '@/lib/forms/failure'
import { completeAddress, textOf } from '@/lib/forms/fields'
import type { JobView } from '@/lib/jobs/schemas'
import type { SeriesView } from '@/lib/series/schemas'

interface Props {
  series: SeriesView
  onClose: () => void
}

/** Creates links whose back-halves are the next numbers. */
export function LinksDialog({ series, onClose }: Props) {
  const t = useTranslations('series.links')
  const [job, setJob] = useState<JobView | null>(null)
  return (
    <Dialog
      title={t('title', { name: series.name })}
      description={t.rich('text', { code: () => <code>{'{number}'}</code> })}
      onClose={onClose}
    >
      {job ? (
        <JobProgress job={job} onOver={setJob} onClose={onClose} />
      ) : (
        <LinksForm series={series} onBegun={setJob} onClose={onClose} />
      )}
    </Dialog>
  )
}

function LinksForm({ series, onBegun, onClose }: Props & { onBegun: (job: JobView) => void }) {
  const t = useTranslations('series.links')
  const form = useForm(async (data) => {
    const url = completeAddress(textOf(data, 'url'))
    const body = { url, title: textOf(data, 'title'), count: Number(textOf(data, 'count').trim()) }
    const result = await createSeriesLinks(series.name, body)
    if (!result.ok) return spokenFailure(result.failure, write)
    onBegun(result.value)
    return null
  })
  return (
    <DialogForm label={t('title', { name: series.name })} form={form} action={t('submit')} onClose={onClose}>
      <TextField label={t('url')} {...form.field('url')} {...addressInput} placeholder="https://example.com/seat/{number}" />
      <TextField label={t('linkTitle')} {...form.field('title')} maxLength={200} autoComplete="off" placeholder="Seat {number}" />
      <TextField label={t('count')} {...form.field('count', 10)} inputMode="numeric" autoComplete="off" hint={t('hint')} />
    </DialogForm>
  )
}
