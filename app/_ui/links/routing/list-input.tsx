'use client'

import { useState } from 'react'
import { cx } from '@/app/_ui/base/cx'
import { inputClass } from '@/app/_ui/base/field'
import { valuesIn } from '@/lib/forms/routing-edits'

interface Props {
  label: string
  placeholder: string
  values: readonly string[]
  isWrong: boolean
  /** How each is written. */
  change?: ((text: string) => string) | undefined
  onChange: (values: string[]) => void
  className?: string
}

const same = (a: readonly string[], b: readonly string[]) => a.length === b.length && a.every((value, i) => value === b[i])

/** Values, with a comma between. What is typed stays as it is while it says the same. */
export function ListInput({ label, placeholder, values, isWrong, change = (text) => text, onChange, className }: Props) {
  const [typed, setTyped] = useState(() => values.join(', '))
  const read = (text: string) => valuesIn(change(text))
  const shown = same(read(typed), values) ? typed : values.join(', ')
  return (
    <input
      aria-label={label}
      placeholder={placeholder}
      aria-invalid={isWrong ? true : undefined}
      autoCapitalize="none"
      autoComplete="off"
      spellCheck={false}
      value={shown}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value)
        onChange(read(currentTarget.value))
      }}
      onBlur={() => setTyped(values.join(', '))}
      className={cx(inputClass, className)}
    />
  )
}
