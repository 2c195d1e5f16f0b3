import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Failure } from '@/lib/forms/failure'
import type { FieldErrors } from '@/lib/forms/fields'
import type { SentForm } from '@/lib/forms/sent'

export interface FormState {
  ref: RefObject<HTMLFormElement | null>
  /** What was typed already, by field: the page was sent without scripts, and comes with it again. */
  typed: Readonly<Record<string, string>>
  errors: FieldErrors
  /** What is wrong with all of it. */
  failure: string | null
  pending: boolean
  /** A field is being changed, and what was said about it no longer holds. */
  clear: (name: string) => void
  /** null where something was changed that what was said about all of it may have been about. */
  setFailure: (failure: string | null) => void
  /** What a field takes of its form. @param initial shown unless something was typed already */
  field: (name: string, initial?: string | number) => FieldState
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
}

export interface FieldState {
  name: string
  defaultValue: string | number | undefined
  error: string | undefined
  onChange: () => void
}

/**
 * One form: sent once at a time, what is wrong shown at its field, and the cursor put there.
 * @param send takes what was entered. @returns null when it was accepted
 * @param sent this form, where it was sent before the scripts had come
 */
export function useForm(send: (data: FormData) => Promise<Failure | null>, sent: SentForm | null = null): FormState {
  const ref = useRef<HTMLFormElement>(null)
  const [errors, setErrors] = useState<FieldErrors>(sent?.errors ?? {})
  const [failure, setFailure] = useState<string | null>(sent?.failure ?? null)
  const [pending, setPending] = useState(false)

  useEffect(() => {
    if (sent) focusFirstInvalid(ref.current)
  }, [sent])

  const submit = async (form: HTMLFormElement) => {
    if (pending) return
    setFailure(null)
    setPending(true)
    const failure = await send(new FormData(form))
    // On the page at once, so that the cursor can go to the first of them.
    flushSync(() => {
      setPending(false)
      setErrors(failure?.fields ?? {})
      if (failure && !isPlaced(form, failure.fields)) setFailure(failure.message)
    })
    if (failure) focusFirstInvalid(form)
  }
  const typed = sent?.values ?? {}
  const clear = (name: string) => setErrors((before) => (before[name] ? { ...before, [name]: undefined } : before))
  return {
    ref,
    typed,
    errors,
    failure,
    pending,
    clear,
    setFailure,
    field: (name, initial) => ({ name, defaultValue: typed[name] ?? initial, error: errors[name], onChange: () => clear(name) }),
    onSubmit: (event) => {
      event.preventDefault()
      // Events of React find their way out of a dialog, to the form around its button.
      event.stopPropagation()
      void submit(event.currentTarget)
    },
  }
}

/** Whether the form has a field for what is wrong, or for what that is a part of. */
const isPlaced = (form: HTMLFormElement, fields: FieldErrors) =>
  Object.keys(fields).some((name) => fields[name] && form.elements.namedItem(name.split('.')[0] ?? ''))

/** Moves the focus to the first field with an error. Call it once the errors are on the page. */
export function focusFirstInvalid(form: HTMLFormElement | null): void {
  form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
}
