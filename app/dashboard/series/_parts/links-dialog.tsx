import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Dialog } from '@/app/_ui/base/dialog'
import { DialogForm } from '@/app/_ui/base/dialog-form'
import { addressInput, TextField } from '@/app/_ui/base/field'
import { JobProgress } from '@/app/_ui/base/job-progress'
import { createSeriesLinks } from '@/app/_ui/data/series'
import { fromLocalInput } from '@/app/_ui/data/time'
import { useForm } from '@/app/_ui/data/use-form'
import { useTyped } from '@/app/_ui/data/use-typed'
import { write } from '@/app/_ui/data/words'
import { FilingFields } from '@/app/_ui/links/filing-fields'
import { TimeField } from '@/app/_ui/links/time-field'
import { spokenFailure } from '@/lib/forms/failure'
import { textOf } from '@/lib/forms/fields'
import { NEW_LINK, readLinkChanges } from '@/lib/forms/link'
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
  const field = useTranslations('links.field')
  const form = useForm(async (data) => {
    const fields = readLinkChanges(data, NEW_LINK, fromLocalInput)
    const result = await createSeriesLinks(series.name, { url: '', ...fields, count: Number(textOf(data, 'count').trim()) })
    if (!result.ok) return spokenFailure(result.failure, write)
    onBegun(result.value)
    return null
  })
  const typed = useTyped(form.ref)
  return (
    <DialogForm label={t('title', { name: series.name })} form={form} action={t('submit')} onClose={onClose}>
      <TextField label={t('url')} {...form.field('url')} {...addressInput} placeholder="https://example.com/seat/{number}" />
      <TextField label={t('linkTitle')} {...form.field('title')} maxLength={200} autoComplete="off" placeholder="Seat {number}" />
      <TextField label={t('count')} {...form.field('count', 10)} inputMode="numeric" autoComplete="off" hint={t('hint')} />
      <TimeField label={field('expiresAt')} hint={field('expiresAtHint')} field={form.field('expiresAt')} inUtc={false} presets />
      <FilingFields form={form} typed={typed} texts={NEW_LINK} />
    </DialogForm>
  )
}
