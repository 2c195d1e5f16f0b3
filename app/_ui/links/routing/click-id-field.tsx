'use client'

import { useTranslations } from '#i18n'
import { Checkbox } from '@/app/_ui/base/checkbox'
import { Field, inputClass } from '@/app/_ui/base/field'
import type { RoutingFields } from '@/lib/routing/routing'
import { CLICK_ID_PARAMETER } from '@/lib/routing/values'

interface Props {
  routing: RoutingFields
  error: string | undefined
  onChange: (routing: RoutingFields) => void
}

/** Whether destinations are told which click brought a visitor, and by which parameter. */
export function ClickIdField({ routing, error, onChange }: Props) {
  const t = useTranslations('links.routing.clickId')
  const { clickId, ...rest } = routing
  return (
    <div className="border-t border-line pt-3">
      <Checkbox
        label={t('label')}
        checked={clickId !== undefined}
        onChange={(checked) => onChange(checked ? { ...rest, clickId: { parameter: CLICK_ID_PARAMETER } } : rest)}
      />
      <p className="text-[13px] text-muted">{t('hint')}</p>
      {clickId && (
        <Field label={t('parameter')} error={error} className="mt-3">
          {(control) => (
            <input
              {...control}
              value={clickId.parameter}
              maxLength={40}
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
              onInput={({ currentTarget }) => onChange({ ...rest, clickId: { parameter: currentTarget.value } })}
              className={inputClass}
            />
          )}
        </Field>
      )}
    </div>
  )
}
