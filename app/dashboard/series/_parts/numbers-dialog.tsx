import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { CopyButton } from '@/app/_ui/base/copy-button'
import { Dialog } from '@/app/_ui/base/dialog'
import { DialogForm } from '@/app/_ui/base/dialog-form'
import { FailureNotice } from '@/app/_ui/base/failure-notice'
import { Field, TextField, textAreaClass } from '@/app/_ui/base/field'
import { Skeletons } from '@/app/_ui/base/skeletons'
import { drawNumbers, previewSeries } from '@/app/_ui/data/series'
import { useServerData } from '@/app/_ui/data/server-data'
import { useForm } from '@/app/_ui/data/use-form'
import { write } from '@/app/_ui/data/words'
import { spokenFailure } from '@/lib/forms/failure'
import { textOf } from '@/lib/forms/fields'
import type { DrawnNumbers, SeriesPreview, SeriesView } from '@/lib/series/schemas'
import { isUsedUp, sizeOf } from './new-series'

interface Props {
  series: SeriesView
  onClose: () => void
}

/** Shows the numbers that are next, and draws some. */
export function NumbersDialog({ series, onClose }: Props) {
  const t = useTranslations('series.numbers')
  const [drawn, setDrawn] = useState<DrawnNumbers | null>(null)
  return (
    <Dialog title={t('title', { name: series.name })} onClose={onClose}>
      {drawn ? <Drawn drawn={drawn} onClose={onClose} /> : <DrawForm series={series} onDrawn={setDrawn} onClose={onClose} />}
    </Dialog>
  )
}

function DrawForm({ series, onDrawn, onClose }: Props & { onDrawn: (drawn: DrawnNumbers) => void }) {
  const t = useTranslations('series.numbers')
  const { name, kind } = series
  const { value, failure, reload } = useServerData(['series', name, 'preview'], (signal) => previewSeries(name, signal))
  const [attempt] = useState(() => crypto.randomUUID())
  const form = useForm(async (data) => {
    const count = Number(textOf(data, 'count').trim())
    // A count that was changed is another request.
    const result = await drawNumbers(name, count, `${attempt} ${count}`)
    if (!result.ok) return spokenFailure(result.failure, write)
    onDrawn(result.value)
    return null
  })
  if (value?.left === 0) {
    const size = sizeOf(series)
    return (
      <div className="space-y-5">
        <p className="text-sm">{isUsedUp(series, 0) && size !== null ? t('all', { size }) : t('none')}</p>
        <div className="flex justify-end">
          <Button onClick={onClose}>{t('close')}</Button>
        </div>
      </div>
    )
  }
  return (
    <div className="space-y-5">
      {failure && <FailureNotice failure={failure} stale={value !== null} onAgain={reload} className="" />}
      {value ? (
        <Preview preview={value} isRandom={kind === 'bitmap'} />
      ) : (
        !failure && <Skeletons count={1} height="h-24" className="" />
      )}
      <DialogForm label={t('draw')} form={form} action={t('draw')} onClose={onClose}>
        <TextField label={t('count')} {...form.field('count', 1)} inputMode="numeric" autoComplete="off" hint={t('hint')} />
      </DialogForm>
    </div>
  )
}

function Preview({ preview, isRandom }: { preview: SeriesPreview; isRandom: boolean }) {
  const t = useTranslations('series.numbers')
  const title = isRandom ? t('examples') : t('next')
  const { numbers, warning } = preview
  return (
    <section aria-label={title}>
      <h3 className="mb-1.5 text-sm font-medium">{title}</h3>
      {numbers.length === 0 ? (
        <p className="text-sm text-muted">{t('none')}</p>
      ) : (
        <ul className="flex flex-wrap gap-1.5">
          {numbers.map((number) => (
            <li key={number} className="rounded-control border border-line bg-bg px-2 py-0.5 font-mono text-[13px] text-anywhere">
              {number}
            </li>
          ))}
        </ul>
      )}
      {warning ? <Warning>{warning}</Warning> : <Left of={preview} />}
    </section>
  )
}

function Left({ of: { left } }: { of: { left: number | null } }) {
  const t = useTranslations('series.numbers')
  return left === null ? null : <p className="mt-2 text-[13px] text-muted">{t('left', { left })}</p>
}

function Warning({ children }: { children: string }) {
  return (
    <p role="status" className="mt-2 rounded-control bg-warn-soft px-3 py-2 text-sm text-warn">
      {children}
    </p>
  )
}

function Drawn({ drawn, onClose }: { drawn: DrawnNumbers; onClose: () => void }) {
  const t = useTranslations('series.numbers')
  const { numbers, restarted, warning } = drawn
  const text = numbers.join('\n')
  return (
    <div className="space-y-4">
      <Field label={t('drawn', { count: numbers.length })}>
        {(control) => (
          <textarea
            {...control}
            readOnly
            value={text}
            rows={Math.min(Math.max(numbers.length, 2), 10)}
            className={`${textAreaClass} font-mono sm:text-[13px]`}
          />
        )}
      </Field>
      {restarted && <p className="text-sm text-muted">{t('restarted')}</p>}
      {warning ? <Warning>{warning}</Warning> : <Left of={drawn} />}
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        <Button onClick={onClose}>{t('close')}</Button>
        <CopyButton text={text} name={t('drawn', { count: numbers.length })} />
      </div>
    </div>
  )
}
