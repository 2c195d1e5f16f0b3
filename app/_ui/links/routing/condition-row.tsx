'use client'

import { X } from 'lucide-react'
import { useTranslations } from '#i18n'
import { IconButton } from '@/app/_ui/base/button'
import { cx } from '@/app/_ui/base/cx'
import { FieldError } from '@/app/_ui/base/field'
import { Select } from '@/app/_ui/base/select'
import type { FieldErrors } from '@/lib/forms/fields'
import { newCondition } from '@/lib/forms/routing-edits'
import type { Condition } from '@/lib/routing/rules'
import { CONDITIONS } from '@/lib/routing/values'
import { ConditionFields } from './condition-fields'

interface Props {
  condition: Condition
  /** The path of what the API says of it. */
  errorsAt: string
  errors: FieldErrors
  onChange: (condition: Condition) => void
  /** null: it is the only one. */
  onRemove: (() => void) | null
}

/** The time zone of this browser. */
export const zoneHere = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** What it asks about, and what it wants of that. */
export function ConditionRow({ condition, errorsAt, errors, onChange, onRemove }: Props) {
  const t = useTranslations('links.routing')
  const { of } = condition
  const said = Object.entries(errors).find(
    ([path, error]) => error && (path === errorsAt || path.startsWith(`${errorsAt}.`)),
  )?.[1]
  const name = t(`of.${of}`)
  const isLong = of === 'date' || of === 'time'
  return (
    <li className="py-3">
      <div className="flex items-start gap-2">
        <div className={cx('grid min-w-0 grow gap-2', !isLong && 'sm:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]')}>
          <Select
            label={t('condition')}
            value={of}
            options={CONDITIONS.map((value) => ({ value, label: t(`of.${value}`) }))}
            onChange={(value) => onChange(newCondition(value, zoneHere()))}
          />
          <ConditionFields key={of} condition={condition} isWrong={said !== undefined} onChange={onChange} />
        </div>
        {onRemove && (
          <IconButton
            icon={X}
            label={t('removeCondition', { name })}
            hint={t('removeHint')}
            onClick={onRemove}
            className="-mr-2 shrink-0"
          />
        )}
      </div>
      {said && <FieldError id={`${errorsAt}-error`}>{said}</FieldError>}
    </li>
  )
}
