'use client'

import { CalendarClock, X } from 'lucide-react'
import { useTranslations } from '#i18n'
import { Button, IconButton } from '@/app/_ui/base/button'
import { Field, inputClass } from '@/app/_ui/base/field'
import { useFormat } from '@/app/_ui/data/format'
import { readableUrl } from '@/app/_ui/data/readable-url'
import { fromLocalInput, toLocalInput } from '@/app/_ui/data/time'
import type { Split } from '@/lib/routing/split'
import { FEWEST_VISITORS } from '@/lib/routing/split-winner'
import { DAY } from '@/lib/tools/time'

interface Props {
  split: Split
  error: string | undefined
  onChange: (split: Split) => void
}

/** An end is offered so far ahead. */
const USUAL = 14 * DAY

/** When a split ends, in one line; afterwards, what stayed. */
export function SplitEnd({ split, error, onChange }: Props) {
  const t = useTranslations('links.routing')
  const format = useFormat()
  const { winner, endsAt, ...endless } = split
  // Who names a winner ends the split before.
  const hasEnded = endsAt !== undefined && Date.parse(endsAt) <= Date.now()
  if (winner !== undefined) {
    const url = () => (
      <strong key="url" className="font-medium">
        {readableUrl(winner)}
      </strong>
    )
    return (
      <div className="mt-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line pt-3">
        <p role="status" className="min-w-0 text-sm text-anywhere">
          {hasEnded ? t.rich('splitEnd.over', { url, time: format.time(endsAt) }) : t.rich('splitEnd.decided', { url })}
        </p>
        <Button size="small" onClick={() => onChange(endless)}>
          {t('splitEnd.again')}
        </Button>
      </div>
    )
  }
  if (endsAt === undefined) {
    return (
      <Button
        look="quiet"
        size="small"
        className="mt-1 -ml-3"
        onClick={() => onChange({ ...split, endsAt: new Date(Math.ceil(Date.now() / DAY) * DAY + USUAL).toISOString() })}
      >
        <CalendarClock aria-hidden="true" className="size-4" />
        {t('splitEnd.add')}
      </Button>
    )
  }
  return (
    <Field
      label={t('splitEnd.label')}
      hint={t('splitEnd.hint', { count: FEWEST_VISITORS })}
      error={error}
      className="mt-3 border-t border-line pt-3"
    >
      {(control) => (
        <div className="flex items-start gap-2">
          <input
            {...control}
            type="datetime-local"
            value={toLocalInput(endsAt)}
            onChange={({ currentTarget }) => {
              const time = fromLocalInput(currentTarget.value)
              if (time !== null) onChange({ ...split, endsAt: time })
            }}
            className={inputClass}
          />
          <IconButton
            icon={X}
            label={t('splitEnd.remove')}
            hint={t('removeHint')}
            onClick={() => onChange(endless)}
            className="-mr-2"
          />
        </div>
      )}
    </Field>
  )
}
