'use client'

import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Choices } from '@/app/_ui/base/choices'
import { FieldError, TextAreaField, TextField } from '@/app/_ui/base/field'
import type { FieldErrors } from '@/lib/forms/fields'
import type { LinkView } from '@/lib/links/schemas'
import { type Card, MOST_DESCRIPTION, MOST_TITLE, type PreviewSetting } from '@/lib/previews/values'
import { destinationInput } from '../destination-input'
import { CardPictures } from './card-pictures'
import { DestinationCard } from './destination-card'

export interface EditorProps {
  setting: PreviewSetting | null
  errors: FieldErrors
  view: LinkView | null
  onChange: (setting: PreviewSetting | null) => void
}

const SOURCES = ['none', 'destination', 'custom'] as const
const EMPTY: Card = { title: '', description: '', image: null }

/** Whose words apps show, the words, and how it looks there. */
export function PreviewEditor({ setting, errors, view, onChange }: EditorProps) {
  const t = useTranslations('links.preview')
  // Kept for who looks at another choice and comes back.
  const [written, setWritten] = useState<Card>(setting?.source === 'custom' ? setting : EMPTY)
  const card = setting?.source === 'custom' ? setting : written
  const write = (changed: Partial<Card>) => {
    const { title, description, image } = { ...card, ...changed }
    setWritten({ title, description, image })
    onChange({ source: 'custom', title, description, image })
  }
  const choose = (source: (typeof SOURCES)[number]) => {
    if (source === 'custom') write({})
    else onChange(source === 'none' ? null : { source })
  }
  return (
    <div className="mt-4 space-y-4">
      <Choices
        label={t('source')}
        name="previewSource"
        defaultValue={setting?.source ?? 'none'}
        options={SOURCES.map((value) => ({ value, title: t(`option.${value}`), hint: t(`hint.${value}`) }))}
        onChange={choose}
      />
      {errors.preview && <FieldError id="preview-error">{errors.preview}</FieldError>}
      {setting?.source === 'custom' && (
        <>
          <TextField
            label={t('title')}
            value={card.title}
            maxLength={MOST_TITLE}
            error={errors['preview.title']}
            autoComplete="off"
            onChange={({ currentTarget }) => write({ title: currentTarget.value })}
          />
          <TextAreaField
            label={t('description')}
            value={card.description}
            maxLength={MOST_DESCRIPTION}
            rows={2}
            error={errors['preview.description']}
            onChange={({ currentTarget }) => write({ description: currentTarget.value })}
          />
          <TextField
            label={t('image')}
            {...destinationInput}
            value={card.image ?? ''}
            placeholder="https://"
            hint={t('imageHint')}
            error={errors['preview.image']}
            onChange={({ currentTarget }) => write({ image: currentTarget.value || null })}
          />
          <CardPictures card={card} host={view?.domain ?? location.host} />
        </>
      )}
      {setting?.source === 'destination' && <DestinationCard view={view} />}
    </div>
  )
}
