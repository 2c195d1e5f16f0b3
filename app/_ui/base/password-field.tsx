import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { useTranslations } from '#i18n'
import { Field, inputClass } from './field'
import { SCRIPTS_ONLY } from './without-scripts'

type Props = Omit<ComponentProps<'input'>, 'id' | 'type' | 'className'> & {
  label: string
  error?: string | undefined
  hint?: ReactNode
}

/** A password that is chosen here, not one that is remembered: it can be looked at. */
export function PasswordField({ label, error, hint, ...input }: Props) {
  const t = useTranslations('base.password')
  const [shown, setShown] = useState(false)
  const Icon = shown ? EyeOff : Eye
  return (
    <Field label={label} error={error} hint={hint}>
      {(control) => (
        <div className="relative">
          <input
            className={`${inputClass} pr-12`}
            type={shown ? 'text' : 'password'}
            autoComplete="new-password"
            spellCheck={false}
            {...input}
            {...control}
          />
          <button
            type="button"
            aria-pressed={shown}
            aria-label={t('show')}
            title={shown ? t('hide') : t('show')}
            onClick={() => setShown(!shown)}
            className={`${SCRIPTS_ONLY} absolute inset-y-0 right-0 inline-flex w-11 items-center justify-center rounded-control text-muted hover:text-fg`}
          >
            <Icon aria-hidden="true" className="size-[18px]" />
          </button>
        </div>
      )}
    </Field>
  )
}
