import { type ComponentProps, type ReactNode, useId } from 'react'
import { cx } from './cx'

const controlClass =
  'w-full min-w-0 rounded-control border border-line-strong bg-surface px-3 text-base text-fg sm:text-[15px] ' +
  'aria-invalid:border-danger aria-invalid:outline-danger disabled:opacity-60 [&[readonly]]:bg-bg'

export const inputClass = `h-11 sm:h-10 ${controlClass}`

export const textAreaClass = `py-2 ${controlClass}`

/** What a control inside a field must carry. */
export interface ControlProps {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

interface FieldProps {
  label: ReactNode
  error?: string | undefined
  hint?: ReactNode
  className?: string
  labelHidden?: boolean
  children: (control: ControlProps) => ReactNode
}

/** A label, its control, what helps to fill it in, and what is wrong with it: tied together for everyone. */
export function Field({ label, error, hint, className, labelHidden = false, children }: FieldProps) {
  const id = useId()
  const described = cx(error && `${id}-error`, hint ? `${id}-hint` : null)
  return (
    <div className={className}>
      <label htmlFor={id} className={labelHidden ? 'sr-only' : 'mb-1.5 block text-sm font-medium'}>
        {label}
      </label>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined })}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      {hint && (
        <p id={`${id}-hint`} className="mt-1.5 text-[13px] text-muted">
          {hint}
        </p>
      )}
    </div>
  )
}

export function FieldError({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p id={id} className="mt-1.5 text-sm text-danger text-anywhere">
      {children}
    </p>
  )
}

type TextFieldProps = Omit<FieldProps, 'children' | 'className'> & Omit<ComponentProps<'input'>, 'id' | 'className'>

/** A field whose control is a plain input. */
export function TextField({ label, error, hint, labelHidden = false, ...input }: TextFieldProps) {
  return (
    <Field label={label} error={error} hint={hint} labelHidden={labelHidden}>
      {(control) => <input className={inputClass} {...input} {...control} />}
    </Field>
  )
}

type TextAreaFieldProps = Omit<FieldProps, 'children' | 'labelHidden'> & Omit<ComponentProps<'textarea'>, 'id' | 'className'>

/** The same for text of several lines; `className` is the whole field's. */
export function TextAreaField({ label, error, hint, className = '', ...area }: TextAreaFieldProps) {
  return (
    <Field label={label} error={error} hint={hint} className={className}>
      {(control) => <textarea className={textAreaClass} rows={3} {...area} {...control} />}
    </Field>
  )
}

/** What makes an input one for an address. */
export const addressInput = {
  type: 'text',
  inputMode: 'url',
  autoComplete: 'off',
  autoCapitalize: 'none',
  spellCheck: false,
} as const
