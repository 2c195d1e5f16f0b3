import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Dialog } from '@/app/_ui/base/dialog'
import { DialogForm } from '@/app/_ui/base/dialog-form'
import { TextField } from '@/app/_ui/base/field'
import { Select } from '@/app/_ui/base/select'
import { toast } from '@/app/_ui/base/toast'
import { createSeries } from '@/app/_ui/data/series'
import { useForm } from '@/app/_ui/data/use-form'
import { isSpokenCode } from '@/lib/codes/reserved'
import { DAILY_KINDS, SERIES_KINDS, type SeriesKind } from '@/lib/series/values'
import { FormatFields } from './format-fields'
import { bodyOf, exampleOf, type Format, proposedPrefix } from './new-series'
import { RangeFields, type Rest } from './range-fields'

interface Props {
  /** Short numbers cannot be back-halves. */
  keepsNumbers: boolean
  onCreated: () => void
  onClose: () => void
}

/** Defines a series. */
export function NewSeriesDialog({ keepsNumbers, onCreated, onClose }: Props) {
  const t = useTranslations('series.new')
  const kinds = useTranslations('series')
  const [kind, setKind] = useState<SeriesKind>('cycle')
  const [rest, setRest] = useState<Rest>('')
  const [format, setFormat] = useState<Format>({ date: 'none', check: 'none' })
  const [name, setName] = useState('')
  // null: not typed.
  const [ownPrefix, setOwnPrefix] = useState<string | null>(null)
  const prefix = ownPrefix ?? proposedPrefix(kind, name.trim())
  const [typed, setTyped] = useState<FormData | null>(null)
  const example = exampleOf(kind, format, prefix, typed)
  const form = useForm(async (data) => {
    const result = await createSeries(bodyOf(kind, rest, format, data))
    if (!result.ok) return result.failure
    toast(t('done', { name: result.value.name }))
    onCreated()
    onClose()
    return null
  })
  const choose = (next: SeriesKind) => {
    // What begins again each day has to tell the day.
    setFormat({ ...format, date: DAILY_KINDS.includes(next) ? 'yyMMdd' : 'none' })
    setKind(next)
  }
  return (
    <Dialog title={t('title')} description={t('text')} onClose={onClose}>
      <DialogForm label={t('title')} form={form} action={t('submit')} onClose={onClose}>
        <div className="space-y-5" onInput={() => form.ref.current && setTyped(new FormData(form.ref.current))}>
          <TextField
            label={t('name')}
            name="name"
            error={form.errors.name}
            value={name}
            onChange={({ currentTarget }) => {
              form.clear('name')
              setName(currentTarget.value)
            }}
            maxLength={40}
            autoComplete="off"
            placeholder="tickets-2027"
          />
          <Select
            label={t('kind')}
            labelShown
            value={kind}
            options={SERIES_KINDS.map((value) => ({ value, label: kinds(`kind.${value}`) }))}
            onChange={choose}
          />
          <p className="-mt-3 text-[13px] text-muted">{kinds(`explained.${kind}`)}</p>
          <RangeFields kind={kind} form={form} rest={rest} onRest={setRest} />
          <FormatFields kind={kind} form={form} format={format} onChange={setFormat} prefix={prefix} onPrefix={setOwnPrefix} />
          <p role="status" className="rounded-control border border-line bg-bg px-3 py-2 text-sm">
            {t('example')} <span className="font-mono text-anywhere">{example}</span>
          </p>
          {keepsNumbers && isSpokenCode(example) && (
            <p className="-mt-2 text-[13px] text-warn">{kinds('links.reserved', { example })}</p>
          )}
        </div>
      </DialogForm>
    </Dialog>
  )
}
