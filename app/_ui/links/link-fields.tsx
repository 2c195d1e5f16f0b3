'use client'

import dynamic from 'next/dynamic'
import type { ReactNode } from 'react'
import { useTranslations } from '#i18n'
import { Field, inputClass, TextField } from '@/app/_ui/base/field'
import { SwitchField } from '@/app/_ui/base/switch-field'
import type { FormState } from '@/app/_ui/data/use-form'
import type { Typed } from '@/app/_ui/data/use-typed'
import type { LinkField, LinkTexts } from '@/lib/forms/link'
import { isFixed } from '@/lib/links/fixed'
import type { LinkView } from '@/lib/links/schemas'
import { REDIRECT_STATUSES } from '@/lib/links/values'
import { destinationInput } from './destination-input'
import { LinkPassword } from './link-password'
import type { Rehearse } from './routing/rehearsal'
import { TimeField } from './time-field'

// Split off, so that the page on which strangers shorten links loads none of it.
const MoreFields = dynamic(() => import('./more-fields').then((module) => module.MoreFields))
const OwnedFields = dynamic(() => import('./more-fields').then((module) => module.OwnedFields))

interface Props {
  form: FormState
  typed: Typed
  /** What the fields say before anything is typed. */
  texts: LinkTexts
  /** It belongs to an account, or will. */
  owned: boolean
  /** null for a new link, whose times may have been typed before the scripts came. */
  view: LinkView | null
  /** Tries rules on clicks that there are; left out where there are none. */
  rehearse?: Rehearse
  /** The first field: the address of the link. */
  children: ReactNode
}

/** All that a link can have but its destination, to create it and to edit it alike. */
export function LinkFields(props: Props) {
  const { form, typed, texts, owned, view, children } = props
  const t = useTranslations('links.field')
  const field = (name: LinkField) => form.field(name, texts[name])
  const isNew = view === null
  const isFull = owned || !isNew
  const expiryFixed = !isNew && isFixed(view, 'expiresAt')
  const isOn = (name: LinkField) => field(name).defaultValue === 'on'
  const { error: wrongStatus, ...status } = field('redirectStatus')
  const ends = (
    <>
      <TimeField label={t('startsAt')} hint={t('startsAtHint')} field={field('startsAt')} inUtc={isNew} />
      <TextField
        label={t('maxClicks')}
        {...field('maxClicks')}
        inputMode="numeric"
        autoComplete="off"
        hint={t('maxClicksHint')}
      />
      <TextField
        label={t('expiredUrl')}
        {...field('expiredUrl')}
        {...destinationInput}
        placeholder="https://"
        hint={t('expiredUrlHint')}
      />
    </>
  )
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      {children}
      <TextField label={t('title')} {...field('title')} autoComplete="off" hint={t(owned ? 'titleHintOwned' : 'titleHint')} />
      {isFull && <MoreFields {...props} />}
      <fieldset disabled={view?.shared} className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-5">
        <legend className="sr-only">{t('settings')}</legend>
        <TimeField
          label={t('expiresAt')}
          hint={view?.kind === 'spoken' ? t('expiresSpoken') : t('expiresAtHint')}
          field={field('expiresAt')}
          inUtc={isNew}
          readOnly={expiryFixed}
          presets={!expiryFixed}
        />
        <LinkPassword hasPassword={view?.hasPassword ?? false} field={field('password')} typed={typed} formRef={form.ref} />
        {owned || !isNew ? <OwnedFields {...props}>{ends}</OwnedFields> : ends}
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
