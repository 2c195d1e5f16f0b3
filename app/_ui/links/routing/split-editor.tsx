'use client'

import { Plus, X } from 'lucide-react'
import { useTranslations } from '#i18n'
import { Button, IconButton } from '@/app/_ui/base/button'
import { Field, FieldError, inputClass } from '@/app/_ui/base/field'
import type { FieldErrors } from '@/lib/forms/fields'
import { withItem } from '@/lib/forms/routing-edits'
import type { Split, Variant } from '@/lib/routing/split'
import { MOST_VARIANTS } from '@/lib/routing/values'
import { DestinationField } from './destination-field'
import { SplitEnd } from './split-end'

interface Props {
  split: Split | undefined
  errors: FieldErrors
  /** @param split undefined: none any more */
  onChange: (split: Split | undefined) => void
}

/** Shares as equal as whole percentages can be. */
const evenly = (variants: readonly Variant[]): Variant[] => {
  const share = Math.floor(100 / variants.length)
  return variants.map((variant, i) => ({ ...variant, weight: i === 0 ? 100 - share * (variants.length - 1) : share }))
}

/** A split with other destinations. Where the winner is none of them any more, visitors are split again. */
function withVariants({ variants: _, ...split }: Split, variants: Variant[]): Split {
  const { winner, endsAt: _end, ...rest } = split
  return winner === undefined || variants.some(({ url }) => url === winner) ? { variants, ...split } : { variants, ...rest }
}

/** The destinations of all for whom no rule holds, with their shares. */
export function SplitEditor({ split, errors, onChange }: Props) {
  const t = useTranslations('links.routing')
  if (!split) {
    const two = evenly([
      { url: '', weight: 0 },
      { url: '', weight: 0 },
    ])
    return (
      <Button size="small" onClick={() => onChange({ variants: two })}>
        <Plus aria-hidden="true" className="size-4" />
        {t('addSplit')}
      </Button>
    )
  }
  const { variants } = split
  const sum = variants.reduce((all, { weight }) => all + weight, 0)
  const change = (changed: Variant[]) => onChange(withVariants(split, changed))
  const remove = (i: number) => (variants.length === 2 ? onChange(undefined) : change(evenly(withItem(variants, i, null))))
  const set = (i: number, changes: Partial<Variant>) => {
    const variant = variants[i]
    if (variant) change(withItem(variants, i, { ...variant, ...changes }))
  }
  return (
    <fieldset className="min-w-0 rounded-control border border-line-strong p-3.5">
      <legend className="sr-only">{t('split')}</legend>
      <p className="text-sm font-medium">{t('split')}</p>
      <p className="mb-2 text-[13px] text-muted">{t('splitHint')}</p>
      {errors['routing.split'] && <FieldError id="routing-split-error">{errors['routing.split']}</FieldError>}
      <ul className="space-y-2">
        {variants.map(({ url, weight }, i) => {
          const number = i + 1
          const path = `routing.split.variants.${i}`
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a variant is known by its place alone
            <li key={i} className="flex flex-wrap items-start justify-end gap-2 max-sm:not-first:pt-2 sm:flex-nowrap">
              <div className="min-w-0 basis-full sm:grow sm:basis-0">
                <DestinationField
                  label={t('variant', { number })}
                  labelHidden
                  error={errors[`${path}.url`]}
                  url={url}
                  onChange={(changed) => set(i, { url: changed })}
                />
              </div>
              <Field
                label={t('weight', { number })}
                labelHidden
                error={errors[`${path}.weight`]}
                className="relative w-20 shrink-0"
              >
                {(control) => (
                  <>
                    <input
                      {...control}
                      type="number"
                      min={1}
                      max={99}
                      value={weight}
                      onChange={({ currentTarget }) => set(i, { weight: currentTarget.valueAsNumber || 0 })}
                      className={`${inputClass} pr-7`}
                    />
                    <span
                      aria-hidden="true"
                      className="pointer-events-none absolute top-0 right-3 flex h-11 items-center text-sm text-muted sm:h-10"
                    >
                      %
                    </span>
                  </>
                )}
              </Field>
              <IconButton
                icon={X}
                label={t('removeVariant', { number })}
                hint={t('removeHint')}
                onClick={() => remove(i)}
                className="-mr-2 shrink-0"
              />
            </li>
          )
        })}
      </ul>
      {sum !== 100 && (
        <p className="mt-1.5 text-[13px] text-warn">
          {t('sum', { sum, over: sum > 100 ? 'yes' : 'no', off: Math.abs(sum - 100) })}
        </p>
      )}
      {variants.length < MOST_VARIANTS && (
        <Button
          look="quiet"
          size="small"
          className="mt-1 -ml-3"
          onClick={() => change(evenly([...variants, { url: '', weight: 0 }]))}
        >
          <Plus aria-hidden="true" className="size-4" />
          {t('addVariant')}
        </Button>
      )}
      <SplitEnd split={split} error={errors['routing.split.endsAt'] ?? errors['routing.split.winner']} onChange={onChange} />
    </fieldset>
  )
}
