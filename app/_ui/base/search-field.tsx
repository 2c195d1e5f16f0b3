'use client'

import { Search, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslations } from '#i18n'
import { cx } from './cx'
import { inputClass } from './field'

const PAUSE_MS = 250

interface Props {
  label: string
  placeholder?: string
  value: string
  /** Called once typing pauses. */
  onChange: (text: string) => void
  className?: string
}

/** Searches while one types, a moment after each pause; Enter at once, Escape for everything. */
export function SearchField({ label, placeholder, value, onChange, className = 'w-full sm:w-auto sm:flex-1' }: Props) {
  const t = useTranslations('base.filters')
  const [text, setText] = useState(value)
  const input = useRef<HTMLInputElement>(null)
  const latest = useRef(onChange)
  latest.current = onChange
  const sent = useRef(value)
  // Changed from elsewhere, as by the back button: what is being typed gives way.
  useEffect(() => {
    if (value === sent.current) return
    sent.current = value
    setText(value)
  }, [value])
  const send = (wanted: string) => {
    const trimmed = wanted.trim()
    if (trimmed === sent.current) return
    sent.current = trimmed
    latest.current(trimmed)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing starts the clock
  useEffect(() => {
    const timer = setTimeout(() => send(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  const set = (wanted: string) => {
    setText(wanted)
    send(wanted)
  }
  return (
    <div className={cx('relative min-w-0', className)}>
      <Search aria-hidden="true" className="pointer-events-none absolute inset-y-0 left-3 my-auto size-4 text-muted" />
      <input
        ref={input}
        type="search"
        enterKeyHint="search"
        aria-label={label}
        placeholder={placeholder}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={200}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={({ key }) => {
          if (key === 'Enter') send(text)
          if (key === 'Escape') set('')
        }}
        className={`${inputClass} pr-10 pl-9 [&::-webkit-search-cancel-button]:hidden`}
      />
      {text !== '' && (
        <button
          type="button"
          aria-label={t('clearSearch')}
          onClick={() => {
            set('')
            input.current?.focus()
          }}
          className="absolute inset-y-0 right-0 inline-flex w-10 items-center justify-center rounded-control text-muted hover:text-fg"
        >
          <X aria-hidden="true" className="size-4" />
        </button>
      )}
    </div>
  )
}
