import { type FormEvent, useState } from 'react'
import { useTranslations } from '#i18n'
import { Dialog } from '@/app/_ui/base/dialog'
import { DialogForm } from '@/app/_ui/base/dialog-form'
import { TextField } from '@/app/_ui/base/field'
import { Select } from '@/app/_ui/base/select'
import { toast } from '@/app/_ui/base/toast'
import { createSeries } from '@/app/_ui/data/series'
import { useForm } from '@/app/_ui/data/use-form'
import { DAILY_KINDS, SERIES_KINDS, type SeriesKind } from '@/lib/series/values'
import { FormatFields } from './format-fields'
import { bodyOf, exampleOf, type Format } from './new-series'
import { RangeFields, type Rest } from './range-fields'

interface Props {
  onCreated: () => void
  onClose: () => void
}

/** Defines a series. */
export function NewSeriesDialog({ onCreated, onClose }: Props) {
  const t = useTranslations('series.new')
  const kinds = useTranslations('series')
  const [kind, setKind] = useState<SeriesKind>('cycle')
  const [rest, setRest] = useState<Rest>('')
  const [format, setFormat] = useState<Format>({ date: 'none', check: 'none' })
  const [example, setExample] = useState('00001')
  const form = useForm(async (data) => {
    const result = await createSeries(bodyOf(kind, rest, format, data))
    if (!result.ok) return result.failure
    toast(t('done', { name: result.value.name }))
    onCreated()
    onClose()
    return null
  })
  const show = (next: Format = format, of: SeriesKind = kind) => {
    if (form.ref.current) setExample(exampleOf(of, next, new FormData(form.ref.current)))
  }
  const choose = (next: SeriesKind) => {
    // What begins again each day has to tell the day.
    const dated: Format = { ...format, date: DAILY_KINDS.includes(next) ? 'yyMMdd' : 'none' }
    setKind(next)
    setFormat(dated)
    show(dated, next)
  }
  return (
    <Dialog title={t('title')} description={t('text')} onClose={onClose}>
      <DialogForm label={t('title')} form={form} action={t('submit')} onClose={onClose}>
        <div className="space-y-5" onInput={(_: FormEvent) => show()}>
          <TextField label={t('name')} {...form.field('name')} maxLength={40} autoComplete="off" placeholder="tickets-2027" />
          <Select
            label={t('kind')}
            labelShown
            value={kind}
            options={SERIES_KINDS.map((value) => ({ value, label: kinds(`kind.${value}`) }))}
            onChange={choose}
          />
          <p className="-mt-3 text-[13px] text-muted">{kinds(`explained.${kind}`)}</p>
          <RangeFields kind={kind} form={form} rest={rest} onRest={setRest} />
          <FormatFields
            kind={kind}
            form={form}
            format={format}
            onChange={(next) => {
              setFormat(next)
              show(next)
            }}
          />
          <p role="status" className="rounded-control border border-line bg-bg px-3 py-2 text-sm">
            {t('example')} <span className="font-mono text-anywhere">{example}</span>
          </p>
        </div>
      </DialogForm>
    </Dialog>
  )
}
