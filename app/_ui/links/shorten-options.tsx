'use client'

import { type ChangeEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslations } from '#i18n'
import { cx } from '@/app/_ui/base/cx'
import { Field, inputClass } from '@/app/_ui/base/field'
import { PasswordField } from '@/app/_ui/base/password-field'
import { useInBrowser } from '@/app/_ui/base/use-in-browser'
import { SCRIPTS_ONLY } from '@/app/_ui/base/without-scripts'
import { localInput, toLocalInput } from '@/app/_ui/data/time'
import type { FormState } from '@/app/_ui/data/use-form'
import { write } from '@/app/_ui/data/words'
import { customCodeProblem } from '@/lib/codes/custom'
import { timeInUtc } from '@/lib/forms/read'
import { DAY } from '@/lib/tools/time'

interface Props {
  field: FormState['field']
}

export function ShortenOptions({ host, field }: Props & { host: string }) {
  const t = useTranslations('links.option')
  return (
    <div className="mt-2 grid grid-cols-[minmax(0,1fr)] gap-5 rounded-card border border-line bg-surface p-4 sm:p-5">
      <CodeField host={host} field={field} />
      <ExpiryField field={field} />
      <PasswordField label={t('password')} {...field('password')} hint={t('passwordHint')} />
    </div>
  )
}

function CodeField({ host, field }: Props & { host: string }) {
  const t = useTranslations('links.option')
  const { error, onChange, ...input } = field('code')
  const [live, setLive] = useState<string | null>(null)
  const check = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    onChange()
    const code = currentTarget.value.trim().normalize('NFC')
    const problem = code ? customCodeProblem(code) : null
    setLive(problem && write(problem))
  }
  return (
    <Field label={t('code')} error={error ?? live ?? undefined} hint={t('codeHint')}>
      {(control) => (
        <div
          className={cx(
            'flex items-center rounded-control border bg-surface focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent',
            control['aria-invalid'] ? 'border-danger focus-within:outline-danger' : 'border-line-strong',
          )}
        >
          <span
            className="max-w-[50%] shrink-0 truncate pl-3 text-base leading-6 text-muted sm:text-[15px]"
            id={`${control.id}-host`}
          >
            {host}/
          </span>
          <input
            {...control}
            aria-describedby={cx(`${control.id}-host`, control['aria-describedby'])}
            {...input}
            type="text"
            autoComplete="off"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            placeholder={t('codePlaceholder')}
            onChange={check}
            className="h-[42px] w-full min-w-0 bg-transparent pr-3 text-base leading-6 outline-none sm:h-[38px] sm:text-[15px]"
          />
        </div>
      )}
    </Field>
  )
}

const PRESETS = [1, 7, 30]

function ExpiryField({ field }: Props) {
  const t = useTranslations('links.option')
  const { error, ...typed } = field('expiresAt')
  const input = useRef<HTMLInputElement>(null)
  const inBrowser = useInBrowser()
  useLocalTime(input)
  const set = (value: string) => {
    if (input.current) input.current.value = value
    typed.onChange()
  }
  return (
    <Field label={t(inBrowser ? 'expires' : 'expiresUtc')} error={error} hint={t('expiresHint')}>
      {(control) => (
        // Beside each other where both fit: this form is in a dialog too, of any width.
        <div className="flex flex-wrap gap-2">
          <input {...control} ref={input} {...typed} type="datetime-local" className={cx(inputClass, 'basis-56 grow')} />
          <fieldset className={`flex min-w-0 grow flex-wrap gap-2 ${SCRIPTS_ONLY}`}>
            <legend className="sr-only">{t('presets')}</legend>
            {PRESETS.map((days) => (
              <Preset key={days} onClick={() => set(localInput(new Date(Date.now() + days * DAY)))}>
                {t('days', { days })}
              </Preset>
            ))}
            <Preset onClick={() => set('')}>{t('never')}</Preset>
          </fieldset>
        </div>
      )}
    </Field>
  )
}

/** What was typed before the scripts had come was typed as UTC, for the server; from now on it is this browser's time. */
function useLocalTime(input: RefObject<HTMLInputElement | null>): void {
  const done = useRef(false)
  useEffect(() => {
    if (done.current) return
    done.current = true
    const iso = timeInUtc(input.current?.value ?? '')
    if (input.current && iso !== null) input.current.value = toLocalInput(iso)
  }, [input])
}

function Preset({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="h-10 flex-1 rounded-control border border-line px-2 text-sm whitespace-nowrap text-muted hover:border-line-strong hover:text-fg sm:px-3"
    >
      {children}
    </button>
  )
}
