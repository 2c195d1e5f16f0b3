'use client'

import { type RefObject, useEffect, useRef } from 'react'
import { useTranslations } from '#i18n'
import { cx } from '@/app/_ui/base/cx'
import { Field, inputClass } from '@/app/_ui/base/field'
import { SCRIPTS_ONLY } from '@/app/_ui/base/without-scripts'
import { localInput, toLocalInput } from '@/app/_ui/data/time'
import type { FieldState } from '@/app/_ui/data/use-form'
import { useInBrowser } from '@/app/_ui/data/use-in-browser'
import { timeInUtc } from '@/lib/forms/read'
import { DAY } from '@/lib/tools/time'

/** In days from now. */
const PRESETS = [1, 7, 30]

interface Props {
  label: string
  hint: string
  field: FieldState
  /** What it says at first was typed as UTC, for the server; from then on it is this browser's time. */
  inUtc: boolean
  readOnly?: boolean
  /** Offers times from now. */
  presets?: boolean
}

/** A time, in the zone of this browser once that is known. */
export function TimeField({ label, hint, field: { error, ...field }, inUtc, readOnly = false, presets = false }: Props) {
  const t = useTranslations('links.field')
  const input = useRef<HTMLInputElement>(null)
  const inBrowser = useInBrowser()
  useLocalTime(input, inUtc)
  const set = (value: string) => {
    if (!input.current) return
    input.current.value = value
    input.current.dispatchEvent(new Event('input', { bubbles: true }))
    field.onChange()
  }
  return (
    <Field label={inBrowser ? label : t('utc', { label })} error={error} hint={hint}>
      {(control) => (
        // Beside each other where both fit: this form is in a dialog too, of any width.
        <div className="@container flex flex-wrap gap-2">
          <input
            {...control}
            ref={input}
            {...field}
            type="datetime-local"
            readOnly={readOnly}
            className={cx(inputClass, presets && 'basis-56 grow')}
          />
          {presets && (
            <fieldset className={`grid min-w-0 grow grid-cols-2 gap-2 @min-[17.5rem]:flex ${SCRIPTS_ONLY}`}>
              <legend className="sr-only">{t('presets')}</legend>
              {PRESETS.map((days) => (
                <Preset key={days} onClick={() => set(localInput(new Date(Date.now() + days * DAY)))}>
                  {t('days', { days })}
                </Preset>
              ))}
              <Preset onClick={() => set('')}>{t('never')}</Preset>
            </fieldset>
          )}
        </div>
      )}
    </Field>
  )
}

function useLocalTime(input: RefObject<HTMLInputElement | null>, inUtc: boolean): void {
  const done = useRef(!inUtc)
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
      className="h-10 flex-1 rounded-control border border-line px-1 text-sm whitespace-nowrap text-muted hover:border-line-strong hover:text-fg sm:px-3"
    >
      {children}
    </button>
  )
}
