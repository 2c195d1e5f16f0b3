'use client'

import { ChevronRight } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { buttonClass } from '@/app/_ui/base/button'
import { Field } from '@/app/_ui/base/field'
import { Notice } from '@/app/_ui/base/notice'
import { type CreateBody, createLink, type FieldErrors } from '@/app/_ui/data/api'
import { randomId } from '@/app/_ui/data/browser'
import { completeAddress, fieldErrors, focusFirstInvalid, textOf } from '@/app/_ui/data/form'
import { fromLocalInput } from '@/app/_ui/data/time'
import { CreateLink, type LinkView } from '@/lib/links/schemas'
import { ShortenOptions } from './shorten-options'

interface Props {
  /** Host of the short URLs, as shown before a custom code. */
  host: string
  /** What was typed before. */
  url?: string
  /** Whether to take the cursor at once; on a phone that would bring the keyboard up over the page. */
  focus: 'always' | 'with a mouse' | 'never'
  onCreated: (link: LinkView) => void
  /** A number to be read aloud is wanted instead, for what was typed. */
  onSpeak?: (url: string) => void
}

const FIELDS = new Set(['url', 'code', 'expiresAt', 'password'])
const OPTIONS = ['code', 'expiresAt', 'password']

export function ShortenForm({ host, url = '', focus, onCreated, onSpeak }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const attempt = useRef<{ body: string; id: string } | null>(null)
  const [errors, setErrors] = useState<FieldErrors>({})
  const [problem, setProblem] = useState<string | null>(null)
  const [pending, setPending] = useState(false)
  const [open, setOpen] = useState(false)

  useEffect(() => {
    if (focus === 'always' || (focus === 'with a mouse' && matchMedia('(pointer: fine)').matches)) input.current?.focus()
  }, [focus])

  const show = (found: FieldErrors) => {
    // On the page at once, so that the cursor can go to the first of them.
    flushSync(() => {
      if (OPTIONS.some((name) => found[name])) setOpen(true)
      setErrors(found)
    })
    focusFirstInvalid(form.current)
  }
  const clear = (name: string) => setErrors((before) => (before[name] ? { ...before, [name]: undefined } : before))
  const complete = (element: HTMLInputElement) => {
    element.value = completeAddress(element.value)
  }

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!form.current || !input.current || pending) return
    complete(input.current)
    setProblem(null)
    const body = bodyOf(new FormData(form.current))
    const wrong = problemsOf(body)
    if (Object.keys(wrong).length > 0) return show(wrong)

    // The same link asked for again, as after a lost answer, is the same attempt.
    const text = JSON.stringify(body)
    if (attempt.current?.body !== text) attempt.current = { body: text, id: randomId() }
    setPending(true)
    const result = await createLink(body, attempt.current.id)
    setPending(false)
    if (result.ok) return onCreated(result.value)

    const { kind, message, fields } = result.failure
    if (kind !== 'network' && kind !== 'unavailable') attempt.current = null
    const placed = Object.keys(fields).some((name) => FIELDS.has(name))
    if (!placed) setProblem(message)
    show(fields)
  }

  return (
    <form ref={form} onSubmit={submit} noValidate aria-label="Shorten a URL" className="space-y-4">
      <div className="relative flex flex-col gap-3">
        <Field label="URL to shorten" labelHidden error={errors.url}>
          {(control) => (
            <input
              {...control}
              ref={input}
              name="url"
              type="text"
              inputMode="url"
              enterKeyHint="go"
              autoComplete="off"
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
              placeholder="Paste a long URL"
              defaultValue={url}
              onChange={() => clear('url')}
              onBlur={(event) => complete(event.currentTarget)}
              className={
                'h-14 w-full rounded-card border border-line-strong bg-surface px-4 text-lg shadow-xs sm:h-16 sm:pr-36 sm:pl-5 ' +
                'aria-invalid:border-danger aria-invalid:outline-danger'
              }
            />
          )}
        </Field>
        <button
          type="submit"
          disabled={pending}
          className={buttonClass('primary', 'w-full sm:absolute sm:top-2 sm:right-2 sm:w-30', 'large')}
        >
          {pending ? 'Shortening…' : 'Shorten'}
        </button>
      </div>
      {problem && <Notice>{problem}</Notice>}
      <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)} className="group">
        <summary className="-ml-2 inline-flex list-none items-center gap-1 rounded-control py-2 pr-3 pl-2 text-[15px] font-medium text-muted hover:text-fg [&::-webkit-details-marker]:hidden">
          <ChevronRight aria-hidden="true" className="size-4 transition-transform group-open:rotate-90" />
          Options
        </summary>
        <ShortenOptions host={host} errors={errors} onEdit={clear} />
      </details>
      {onSpeak && (
        <p className="text-sm text-muted">
          For a call or a class?{' '}
          <button
            type="button"
            onClick={() => onSpeak(input.current?.value ?? '')}
            className="min-h-11 rounded-control font-medium text-accent underline-offset-4 hover:underline sm:min-h-8"
          >
            Read it aloud
          </button>
        </p>
      )}
    </form>
  )
}

/** Only what was filled in: what is left out gets the server's defaults. */
function bodyOf(data: FormData): CreateBody {
  const code = textOf(data, 'code').trim()
  const expiresAt = fromLocalInput(textOf(data, 'expiresAt'))
  const password = textOf(data, 'password')
  return { url: textOf(data, 'url'), ...(code && { code }), ...(expiresAt && { expiresAt }), ...(password && { password }) }
}

function problemsOf(body: CreateBody): FieldErrors {
  if (body.url === '') return { url: 'Paste or type the address to shorten.' }
  const parsed = CreateLink.safeParse(body)
  if (!parsed.success) return fieldErrors(parsed.error)
  if (parsed.data.expiresAt && parsed.data.expiresAt.getTime() <= Date.now()) return { expiresAt: 'Choose a time in the future.' }
  return {}
}
