import { type ComponentProps, useId } from 'react'
import { cx } from './cx'
import { inputClass } from './field'

export interface SelectOption<T extends string> {
  value: T
  label: string
}

type Props<T extends string> = Omit<ComponentProps<'select'>, 'id' | 'value' | 'onChange' | 'children'> & {
  /** Read out, and shown where `labelShown` says so. */
  label: string
  labelShown?: boolean
  value: T
  options: readonly SelectOption<T>[]
  onChange: (value: T) => void
}

/** The browser's own choice of one: it knows keyboards and phones best. */
export function Select<T extends string>({ label, labelShown = false, value, options, onChange, className, ...rest }: Props<T>) {
  const id = useId()
  return (
    <div className={cx('min-w-0', className)}>
      <label htmlFor={id} className={labelShown ? 'mb-1.5 block text-sm font-medium' : 'sr-only'}>
        {label}
      </label>
      <select
        {...rest}
        id={id}
        value={value}
        onChange={({ currentTarget }) => {
          const chosen = options.find((option) => option.value === currentTarget.value)
          if (chosen) onChange(chosen.value)
        }}
        className={inputClass}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  )
}
