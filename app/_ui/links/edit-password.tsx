'use client'

import { LockKeyhole } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { PasswordField } from '@/app/_ui/base/password-field'
import type { FieldState } from '@/app/_ui/data/use-form'

interface Props {
  hasPassword: boolean
  field: FieldState
}

/** A password can be set, changed and removed, but never read: the server does not know it either. */
export function EditPassword({ hasPassword, field }: Props) {
  const t = useTranslations('links.password')
  const [step, setStep] = useState<'keep' | 'change' | 'remove'>('keep')
  if (!hasPassword || step === 'change') {
    return <PasswordField label={t(hasPassword ? 'new' : 'label')} {...field} hint={t(hasPassword ? 'newHint' : 'hint')} />
  }
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">{t('label')}</legend>
      <div className="flex flex-wrap items-center justify-between gap-2 rounded-control border border-line py-1 pr-1 pl-3 text-[15px]">
        <span className="flex items-center gap-2 text-muted">
          <LockKeyhole aria-hidden="true" className="size-4" />
          {t(step === 'keep' ? 'set' : 'removing')}
        </span>
        {step === 'keep' ? (
          <span className="flex">
            <Button look="quiet" size="small" onClick={() => setStep('change')}>
              {t('edit')}
            </Button>
            <Button look="quiet" size="small" onClick={() => setStep('remove')}>
              {t('remove')}
            </Button>
          </span>
        ) : (
          <>
            <input type="hidden" name="removePassword" value="on" />
            <Button look="quiet" size="small" onClick={() => setStep('keep')}>
              {t('keep')}
            </Button>
          </>
        )}
      </div>
    </fieldset>
  )
}
