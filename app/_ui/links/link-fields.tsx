'use client'

import type { FocusEvent, ReactNode } from 'react'
import { useTranslations } from '#i18n'
import { addressInput, Field, inputClass, TextField } from '@/app/_ui/base/field'
import { SwitchField } from '@/app/_ui/base/switch-field'
import type { FormState } from '@/app/_ui/data/use-form'
import type { Typed } from '@/app/_ui/data/use-typed'
import { completeAddress } from '@/lib/forms/fields'
import type { LinkField, LinkTexts } from '@/lib/forms/link'
import { isFixed } from '@/lib/links/fixed'
import type { LinkView } from '@/lib/links/schemas'
import { REDIRECT_STATUSES } from '@/lib/links/values'
import { LinkPassword } from './link-password'
import { TimeField } from './time-field'

/** What makes an input one for a destination: it is completed once it was typed. */
export const destinationInput = {
  ...addressInput,
  autoCorrect: 'off',
  onBlur: ({ currentTarget }: FocusEvent<HTMLInputElement>) => {
    currentTarget.value = completeAddress(currentTarget.value)
  },
} as const

interface Props {
  form: FormState
  typed: Typed
  /** What the fields say before anything is typed. */
  texts: LinkTexts
  /** It belongs to an account, or will. */
  owned: boolean
  /** null for a new link, whose times may have been typed before the scripts came. */
  view: LinkView | null
  /** The first field: the address of the link. */
  children: ReactNode
}

/** All that a link can have but its destination, to create it and to edit it alike. */
export function LinkFields({ form, typed, texts, owned, view, children }: Props) {
  const t = useTranslations('links.field')
  const field = (name: LinkField) => form.field(name, texts[name])
  const isNew = view === null
  const expiryFixed = !isNew && isFixed(view, 'expiresAt')
  const isOn = (name: LinkField) => field(name).defaultValue === 'on'
  const { error: wrongStatus, ...status } = field('redirectStatus')
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      {children}
      <TextField label={t('title')} {...field('title')} autoComplete="off" hint={t(owned ? 'titleHintOwned' : 'titleHint')} />
      <fieldset disabled={view?.shared} className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-5 sm:grid-cols-2 sm:*:col-span-2">
        <legend className="sr-only">{t('settings')}</legend>
        <TimeField
          label={t('expiresAt')}
          hint={view?.kind === 'spoken' ? t('expiresSpoken') : t('expiresAtHint')}
          field={field('expiresAt')}
          inUtc={isNew}
          readOnly={expiryFixed}
          presets={!expiryFixed}
        />
        <div className="sm:col-span-1!">
          <TimeField label={t('startsAt')} hint={t('startsAtHint')} field={field('startsAt')} inUtc={isNew} />
        </div>
        <div className="sm:col-span-1!">
          <TextField
            label={t('maxClicks')}
            {...field('maxClicks')}
            inputMode="numeric"
            autoComplete="off"
            hint={t('maxClicksHint')}
          />
        </div>
        <LinkPassword hasPassword={view?.hasPassword ?? false} field={field('password')} typed={typed} formRef={form.ref} />
        <TextField
          label={t('expiredUrl')}
          {...field('expiredUrl')}
          {...destinationInput}
          placeholder="https://"
          hint={t('expiredUrlHint')}
        />
        <Field label={t('redirectStatus')} error={wrongStatus} hint={t('redirectStatusHint')}>
          {(control) => (
            <select {...control} {...status} className={inputClass}>
              {REDIRECT_STATUSES.map((value) => (
                <option key={value} value={value}>
                  {t(`redirectType.${value}`)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <SwitchField name="enabled" label={t('enabled')} hint={t('enabledHint')} on={isOn('enabled')} />
        {owned && <SwitchField name="listed" label={t('listed')} hint={t('listedHint')} on={isOn('listed')} />}
      </fieldset>
    </div>
  )
}
