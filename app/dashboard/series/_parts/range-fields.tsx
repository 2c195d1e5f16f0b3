import { useTranslations } from '#i18n'
import { TextField } from '@/app/_ui/base/field'
import { Select } from '@/app/_ui/base/select'
import type { FormState } from '@/app/_ui/data/use-form'
import type { SeriesKind } from '@/lib/series/values'

/** In hours; '': never. */
const RESTS = ['', '1', '24', '168', '720', '8760'] as const
export type Rest = (typeof RESTS)[number]

const typed = { inputMode: 'numeric', autoComplete: 'off' } as const

interface Props {
  kind: SeriesKind
  form: FormState
  rest: Rest
  onRest: (rest: Rest) => void
}

/** Which numbers a series has. Fields have keys, so that what was typed in one is not found in another when the kind changes. */
export function RangeFields({ kind, form, rest, onRest }: Props) {
  const t = useTranslations('series.new')
  if (kind === 'bitmap') return <TextField key="size" label={t('size')} {...form.field('size', 100_000)} {...typed} />
  const keepDays = (
    <TextField key="keepDays" label={t('keepDays')} {...form.field('keepDays', 30)} {...typed} hint={t('keepDaysHint')} />
  )
  if (kind === 'shuffled') return keepDays
  const step = <TextField key="step" label={t('step')} {...form.field('step', 1)} {...typed} />
  if (kind === 'counter') {
    return (
      <>
        <div className="grid grid-cols-2 items-start gap-3">
          <TextField key="first" label={t('first')} {...form.field('first', 1)} {...typed} />
          {step}
        </div>
        {keepDays}
      </>
    )
  }
  return (
    <>
      <div className="grid grid-cols-2 items-start gap-x-3 gap-y-5 sm:grid-cols-3">
        <TextField key="start" label={t('first')} {...form.field('start', 1)} {...typed} />
        <TextField key="max" label={t('last')} {...form.field('max', 500)} {...typed} />
        <div className="max-sm:col-span-2">{step}</div>
      </div>
      <Select
        label={t('rest')}
        labelShown
        value={rest}
        options={RESTS.map((value) => ({ value, label: t('again', { hours: Number(value) }) }))}
        onChange={onRest}
      />
    </>
  )
}
