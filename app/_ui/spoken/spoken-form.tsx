'use client'

import { type FormEvent, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '@/app/_ui/base/button'
import { TextField } from '@/app/_ui/base/field'
import { Notice } from '@/app/_ui/base/notice'
import { Segments } from '@/app/_ui/base/segments'
import { completeAddress, fieldErrors, focusFirstInvalid, textOf } from '@/app/_ui/data/form'
import type { FieldErrors } from '@/app/_ui/data/http'
import { createSpoken, type SpokenBody } from '@/app/_ui/data/spoken'
import { SpokenInput, type SpokenView } from '@/lib/links/schemas'

const DIGITS = ([4, 5, 6] as const).map((value) => ({ value, label: String(value), long: `${value} digits` }))

/** In seconds. */
const LIFETIMES = [
  { value: 600, label: '10 min', long: '10 minutes' },
  { value: 3_600, label: '1 hour' },
  { value: 86_400, label: '1 day' },
  { value: 604_800, label: '7 days' },
] as const

type Digits = (typeof DIGITS)[number]['value']
type Lifetime = (typeof LIFETIMES)[number]['value']

interface Props {
  /** What was typed already. */
  url: string
  onCreated: (code: SpokenView) => void
  onCancel: () => void
}

/** Asks for a number that can be read aloud and leads to a URL for a while. */
export function SpokenForm({ url, onCreated, onCancel }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const [digits, setDigits] = useState<Digits>(4)
  const [ttl, setTtl] = useState<Lifetime>(3_600)
  const [errors, setErrors] = useState<FieldErrors>({})
  const [problem, setProblem] = useState<string | null>(null)
  const [pending, setPending] = useState(false)
  useEffect(() => form.current?.querySelector<HTMLElement>('input')?.focus(), [])

  const show = (found: FieldErrors) => {
    // On the page at once, so that the cursor can go there.
    flushSync(() => setErrors(found))
    focusFirstInvalid(form.current)
  }
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (pending) return
    setProblem(null)
    const typed = completeAddress(textOf(new FormData(event.currentTarget), 'url'))
    const body: SpokenBody = { url: typed, digits, ttl }
    const parsed = SpokenInput.safeParse(body)
    if (typed === '') return show({ url: 'Paste or type the address.' })
    if (!parsed.success) return show(fieldErrors(parsed.error))
    setPending(true)
    const result = await createSpoken(body)
    setPending(false)
    if (result.ok) return onCreated(result.value)
    const { message, fields } = result.failure
    if (!fields.url) setProblem(message)
    show(fields)
  }
  return (
    <form
      ref={form}
      onSubmit={submit}
      noValidate
      aria-label="Get a number to read aloud"
      className="appear space-y-5 rounded-card border border-line bg-surface p-4 sm:p-6"
    >
      <div>
        <h2 className="text-lg font-semibold">Read it aloud</h2>
        <p className="mt-1 text-sm text-muted">
          A number of a few digits, for a call, a class or a radio show. It works for a while and then goes to someone else.
        </p>
      </div>
      <TextField
        label="URL"
        name="url"
        type="text"
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="Paste a long URL"
        defaultValue={url}
        error={errors.url}
        onChange={() => setErrors({})}
      />
      <div className="grid gap-5 sm:grid-cols-[2fr_3fr]">
        <div>
          <p aria-hidden="true" className="mb-1.5 text-sm font-medium">
            Digits
          </p>
          <Segments label="Digits" value={digits} options={DIGITS} onChange={setDigits} />
        </div>
        <div>
          <p aria-hidden="true" className="mb-1.5 text-sm font-medium">
            Works for
          </p>
          <Segments label="Works for" value={ttl} options={LIFETIMES} onChange={setTtl} />
        </div>
      </div>
      {problem && <Notice>{problem}</Notice>}
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        <Button onClick={onCancel}>Make a lasting link instead</Button>
        <Button type="submit" look="primary" disabled={pending}>
          {pending ? 'Getting a number…' : 'Get a number'}
        </Button>
      </div>
    </form>
  )
}
