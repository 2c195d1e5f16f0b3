'use client'

import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react'
import { useTranslations } from '#i18n'
import { Button, IconButton } from '@/app/_ui/base/button'
import { FieldError } from '@/app/_ui/base/field'
import type { FieldErrors } from '@/lib/forms/fields'
import { newCondition, withItem } from '@/lib/forms/routing-edits'
import type { Rule } from '@/lib/routing/rules'
import { ConditionRow, zoneHere } from './condition-row'
import { DestinationField } from './destination-field'

interface Props {
  /** From 0. */
  place: number
  of: number
  rule: Rule
  errors: FieldErrors
  /** null: it is taken out. */
  onChange: (rule: Rule | null) => void
  onUp: () => void
  onDown: () => void
}

/** One rule: its conditions, and where those go for whom all hold. */
export function RuleCard({ place, of, rule, errors, onChange, onUp, onDown }: Props) {
  const t = useTranslations('links.routing')
  const { when, url } = rule
  const path = `routing.rules.${place}`
  const number = place + 1
  const setWhen = (changed: Rule['when']) => onChange({ ...rule, when: changed })
  return (
    <li aria-label={t('rule', { number })} className="rounded-control border border-line-strong p-3.5">
      <div className="-mt-1.5 -mr-2 mb-1 flex items-center">
        <p className="mr-auto text-sm font-medium">{t('rule', { number })}</p>
        {place > 0 && <IconButton icon={ArrowUp} label={t('up', { number })} hint={t('upHint')} onClick={onUp} />}
        {place < of - 1 && <IconButton icon={ArrowDown} label={t('down', { number })} hint={t('downHint')} onClick={onDown} />}
        <IconButton icon={X} label={t('removeRule', { number })} hint={t('removeHint')} onClick={() => onChange(null)} />
      </div>
      {errors[path] && <FieldError id={`${path}-error`}>{errors[path]}</FieldError>}
      <ul className="divide-y divide-line">
        {when.map((condition, i) => (
          <ConditionRow
            // biome-ignore lint/suspicious/noArrayIndexKey: a condition is known by its place alone
            key={i}
            condition={condition}
            errorsAt={`${path}.when.${i}`}
            errors={errors}
            onChange={(changed) => setWhen(withItem(when, i, changed))}
            onRemove={when.length > 1 ? () => setWhen(withItem(when, i, null)) : null}
          />
        ))}
      </ul>
      <Button look="quiet" size="small" className="-ml-3" onClick={() => setWhen([...when, newCondition('country', zoneHere())])}>
        <Plus aria-hidden="true" className="size-4" />
        {t('addCondition')}
      </Button>
      <div className="mt-2">
        <DestinationField
          label={t('goTo')}
          error={errors[`${path}.url`]}
          url={url}
          onChange={(changed) => onChange({ ...rule, url: changed })}
        />
      </div>
    </li>
  )
}
