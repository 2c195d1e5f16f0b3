'use client'

import { useId, useState } from 'react'
import { inputClass } from '@/app/_ui/base/field'
import { valuesIn } from '@/lib/forms/routing-edits'

interface Props {
  label: string
  placeholder: string
  values: readonly string[]
  isWrong: boolean
  /** What each that was typed stands for. */
  change?: ((value: string) => string) | undefined
  /** How each is shown, which `change` turns back into it. */
  show?: ((value: string) => string) | undefined
  /** Values to choose from. */
  suggested?: readonly string[] | undefined
  /** Said of what was typed, which is taken all the same. */
  warn?: ((values: readonly string[]) => string | undefined) | undefined
  onChange: (values: string[]) => void
  className?: string
}

const same = (value: string) => value
const isSame = (a: readonly string[], b: readonly string[]) => a.length === b.length && a.every((value, i) => value === b[i])

/** Values, with a comma between. What is typed stays as it is while it says the same. */
export function ListInput({
  label,
  placeholder,
  values,
  isWrong,
  change = same,
  show = same,
  onChange,
  className,
  ...rest
}: Props) {
  const { suggested, warn } = rest
  const id = useId()
  const written = values.map(show).join(', ')
  const [typed, setTyped] = useState(written)
  const [isTyping, setIsTyping] = useState(false)
  const read = (text: string) => valuesIn(text).map(change)
  const shown = isSame(read(typed), values) ? typed : written
  // Of what is still being typed, nothing can be said.
  const warning = isTyping ? undefined : warn?.(values)
  return (
    <div className={className}>
      <input
        aria-label={label}
        aria-describedby={warning && `${id}-warning`}
        placeholder={placeholder}
        aria-invalid={isWrong ? true : undefined}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        list={suggested && `${id}-list`}
        value={shown}
        onFocus={() => setIsTyping(true)}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value)
          onChange(read(currentTarget.value))
        }}
        onBlur={() => {
          setIsTyping(false)
          setTyped(written)
        }}
        className={inputClass}
      />
      {suggested && (
        <datalist id={`${id}-list`}>
          {completionsOf(shown, suggested).map((value) => (
            <option key={value} value={value} />
          ))}
        </datalist>
      )}
      {warning && (
        <p id={`${id}-warning`} className="mt-1.5 text-[13px] text-muted text-anywhere">
          {warning}
        </p>
      )}
    </div>
  )
}

/** What the field would say with each name in the place of the last one: browsers compare the whole of it. */
function completionsOf(text: string, names: readonly string[]): string[] {
  const before = text.slice(0, text.lastIndexOf(',') + 1)
  const had = new Set(valuesIn(before).map((name) => name.toLowerCase()))
  return names.filter((name) => !had.has(name.toLowerCase())).map((name) => (before ? `${before} ${name}` : name))
}
