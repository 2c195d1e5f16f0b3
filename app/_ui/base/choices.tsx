import { useId } from 'react'
import { FieldError } from './field'

interface Props<T extends string> {
  label: string
  labelHidden?: boolean
  name: string
  options: readonly { value: T; title: string; hint: string }[]
  /** What is chosen at first. */
  defaultValue?: string | number | undefined
  error?: string | undefined
  onChange?: (value: T) => void
}

/** A choice of one, in a form, where each needs a line to explain it. */
export function Choices<T extends string>({ label, labelHidden, name, options, defaultValue, error, onChange }: Props<T>) {
  const id = useId()
  return (
    <fieldset aria-describedby={error && id}>
      <legend className={labelHidden ? 'sr-only' : 'mb-1.5 text-sm font-medium'}>{label}</legend>
      <div className="divide-y divide-line rounded-control border border-line-strong bg-surface">
        {options.map(({ value, title, hint }) => (
          <label key={value} className="flex cursor-pointer items-start gap-3 px-3.5 py-3 has-checked:bg-accent-soft">
            <input
              type="radio"
              name={name}
              value={value}
              defaultChecked={value === defaultValue}
              aria-invalid={error ? true : undefined}
              onChange={() => onChange?.(value)}
              className="mt-1 size-4 shrink-0 accent-accent"
            />
            <span>
              <span className="block text-[15px] font-medium">{title}</span>
              <span className="block text-[13px] text-muted">{hint}</span>
            </span>
          </label>
        ))}
      </div>
      {error && <FieldError id={id}>{error}</FieldError>}
    </fieldset>
  )
}
