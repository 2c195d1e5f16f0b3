import type { Ref } from 'react'
import { useTranslations } from '#i18n'
import { Field, inputClass } from '@/app/_ui/base/field'

interface Props {
  ref?: Ref<HTMLInputElement>
  /** A backup code rather than six digits of an app. */
  backup?: boolean
  error: string | undefined
  onChange: () => void
}

/** Asks for a code that works once; named `code`. */
export function CodeField({ ref, backup = false, error, onChange }: Props) {
  const t = useTranslations('account.code')
  return (
    <Field label={backup ? t('backupLabel') : t('label')} error={error}>
      {(control) => (
        <input
          {...control}
          ref={ref}
          name="code"
          type="text"
          inputMode={backup ? 'text' : 'numeric'}
          autoComplete="one-time-code"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          maxLength={backup ? 20 : 8}
          placeholder={backup ? undefined : '000000'}
          onChange={onChange}
          className={`${inputClass} font-mono tracking-widest`}
        />
      )}
    </Field>
  )
}
