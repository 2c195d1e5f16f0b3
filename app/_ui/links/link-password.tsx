'use client'

import { LockKeyhole } from 'lucide-react'
import type { RefObject } from 'react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { PasswordField } from '@/app/_ui/base/password-field'
import type { FieldState } from '@/app/_ui/data/use-form'
import { fillIn, type Typed } from '@/app/_ui/data/use-typed'

interface Props {
  hasPassword: boolean
  field: FieldState
  typed: Typed
  formRef: RefObject<HTMLFormElement | null>
}

type Step = 'keep' | 'change' | 'remove'

/** A password can be set, changed and removed, but never read: the server does not know it either. */
export function LinkPassword({ hasPassword, field, typed, formRef }: Props) {
  const t = useTranslations('links.password')
  if (!hasPassword) return <PasswordField label={t('label')} {...field} hint={t('hint')} />
  const step = typed.get('passwordStep') ?? 'keep'
  const take = (step: Step) => formRef.current && fillIn(formRef.current, [['passwordStep', step]])
  return (
    <div>
      {/* In the form, so that a draft of it knows this too. No hidden one: React would set that back. */}
      <input type="text" hidden name="passwordStep" defaultValue="keep" />
      <div hidden={step !== 'change'}>
        <PasswordField label={t('new')} {...field} hint={t('newHint')} />
      </div>
      {step !== 'change' && (
        <fieldset>
          <legend className="mb-1.5 text-sm font-medium">{t('label')}</legend>
          <div className="flex flex-wrap items-center justify-between gap-2 rounded-control border border-line py-1 pr-1 pl-3 text-[15px]">
            <span className="flex items-center gap-2 text-muted">
              <LockKeyhole aria-hidden="true" className="size-4" />
              {t(step === 'keep' ? 'set' : 'removing')}
            </span>
            {step === 'keep' ? (
              <span className="flex">
                <Button look="quiet" size="small" onClick={() => take('change')}>
                  {t('edit')}
                </Button>
                <Button look="quiet" size="small" onClick={() => take('remove')}>
                  {t('remove')}
                </Button>
              </span>
            ) : (
              <Button look="quiet" size="small" onClick={() => take('keep')}>
                {t('keep')}
              </Button>
            )}
          </div>
        </fieldset>
      )}
    </div>
  )
}
