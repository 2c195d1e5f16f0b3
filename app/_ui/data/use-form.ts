import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { z } from 'zod'
import { type FieldErrors, fieldErrors } from '@/lib/forms/fields'
import type { SentForm } from '@/lib/forms/sent'
import type { Trouble } from '@/lib/forms/trouble'
import { focusFirstInvalid } from './form'

export interface FormState {
  ref: RefObject<HTMLFormElement | null>
  /** What was typed already, by field: the page was sent without scripts, and comes with it again. */
  typed: Readonly<Record<string, string>>
  errors: FieldErrors
  /** What is wrong with all of it. */
  problem: string | null
  pending: boolean
  /** A field is being changed, and what was said about it no longer holds. */
  clear: (name: string) => void
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
}

/**
 * One form: sent once at a time, what is wrong shown at its field, and the cursor put there.
 * @param send takes what was entered. @returns null when it was accepted
 * @param sent this form, where it was sent before the scripts had come
 */
export function useForm(send: (data: FormData) => Promise<Trouble | null>, sent: SentForm | null = null): FormState {
  const ref = useRef<HTMLFormElement>(null)
  const [errors, setErrors] = useState<FieldErrors>(sent?.errors ?? {})
  const [problem, setProblem] = useState<string | null>(sent?.problem ?? null)
  const [pending, setPending] = useState(false)

  useEffect(() => {
    if (sent) focusFirstInvalid(ref.current)
  }, [sent])

  const submit = async (form: HTMLFormElement) => {
    if (pending) return
    setProblem(null)
    setPending(true)
    const trouble = await send(new FormData(form))
    // On the page at once, so that the cursor can go to the first of them.
    flushSync(() => {
      setPending(false)
      setErrors(trouble?.fields ?? {})
      if (trouble && !isPlaced(form, trouble.fields)) setProblem(trouble.message)
    })
    if (trouble) focusFirstInvalid(form)
  }
  return {
    ref,
    typed: sent?.values ?? {},
    errors,
    problem,
    pending,
    clear: (name) => setErrors((before) => (before[name] ? { ...before, [name]: undefined } : before)),
    onSubmit: (event) => {
      event.preventDefault()
      // Events of React find their way out of a dialog, to the form around its button.
      event.stopPropagation()
      void submit(event.currentTarget)
    },
  }
}

/** Whether the form has a field for what is wrong. */
const isPlaced = (form: HTMLFormElement, fields: FieldErrors) =>
  Object.keys(fields).some((name) => fields[name] && form.elements.namedItem(name))

/** What is wrong by field, found before anything was sent. */
export const wrong = (fields: FieldErrors): Trouble => ({ message: '', fields })

/** As `wrong`, of what a schema found. */
export const wrongBy = (error: z.ZodError): Trouble => wrong(fieldErrors(error))
