'use client'

import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { FailureMessage } from '@/app/_ui/base/failure'
import { TextField } from '@/app/_ui/base/field'
import { SavedDialog } from '@/app/_ui/base/saved-dialog'
import { useUtmTemplates, utmIn, utmQuery } from '@/app/_ui/data/utm'
import { MOST_UTM, UTM_NAMES, type Utm } from '@/lib/utm/values'

export interface EditorProps {
  utm: Utm
  owned: boolean
  /** There is no destination yet. */
  disabled: boolean
  onChange: (changes: Partial<Utm>) => void
}

/** The values, and templates of them for who has an account. */
export function UtmEditor({ utm, owned, disabled, onChange }: EditorProps) {
  const t = useTranslations('links.utm')
  return (
    <div className="mt-3 rounded-control border border-line p-3">
      {disabled && <p className="mb-3 text-[13px] text-muted">{t('noDestination')}</p>}
      <div className="grid gap-4 sm:grid-cols-2">
        {UTM_NAMES.map((name) => (
          <TextField
            key={name}
            label={t(`field.${name}`)}
            value={utm[name]}
            placeholder={t(`example.${name}`)}
            disabled={disabled}
            maxLength={MOST_UTM}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            onChange={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
          />
        ))}
      </div>
      {owned && <Templates utm={utm} disabled={disabled} onApply={onChange} />}
    </div>
  )
}

function Templates({ utm, disabled, onApply }: { utm: Utm; disabled: boolean; onApply: (changes: Partial<Utm>) => void }) {
  const t = useTranslations('links.utm.templates')
  const { saved, failure } = useUtmTemplates()
  const [open, setOpen] = useState(false)
  return (
    <div className="mt-4">
      {failure && <FailureMessage>{failure}</FailureMessage>}
      <Button size="small" disabled={disabled || saved === null} onClick={() => setOpen(true)}>
        {t('open')}
      </Button>
      {open && saved && (
        <SavedDialog
          words={{
            title: t('title'),
            hint: t('hint'),
            list: t('list'),
            empty: t('empty'),
            form: t('form'),
            name: t('name'),
            placeholder: t('placeholder'),
            deleteOne: (name) => t('deleteOne', { name }),
          }}
          saved={saved}
          query={utmQuery(utm)}
          onApply={(query) => onApply(utmIn(query))}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  )
}
