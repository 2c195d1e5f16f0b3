'use client'

import { useEffect } from 'react'
import { Button } from '@/app/_ui/base/button'
import { FailureMessage } from '@/app/_ui/base/failure'
import { addressInput, TextField } from '@/app/_ui/base/field'
import { Form } from '@/app/_ui/base/form'
import { RadioSegments } from '@/app/_ui/base/radio-segments'
import { createSpoken } from '@/app/_ui/data/api'
import { useForm } from '@/app/_ui/data/use-form'
import { spokenFailure } from '@/lib/forms/failure'
import { readSpoken } from '@/lib/forms/read'
import type { SentForm } from '@/lib/forms/sent'
import type { SpokenView } from '@/lib/links/schemas'

const DIGITS = ([4, 5, 6] as const).map((value) => ({ value, label: String(value), long: `${value} digits` }))

/** In seconds. */
const LIFETIMES = [
  { value: 600, label: '10 min', long: '10 minutes' },
  { value: 3_600, label: '1 hour' },
  { value: 86_400, label: '1 day' },
  { value: 604_800, label: '7 days' },
] as const

interface Props {
  /** What was typed already. */
  url: string
  sent: SentForm | null
  onCreated: (code: SpokenView) => void
  onCancel: () => void
}

/** Asks for a number that can be read aloud and leads to a URL for a while. */
export function SpokenForm({ url, sent, onCreated, onCancel }: Props) {
  const form = useForm(async (data) => {
    const read = readSpoken(data)
    if (!read.ok) return read.failure
    const result = await createSpoken(read.value)
    if (!result.ok) return spokenFailure(result.failure)
    onCreated(result.value)
    return null
  }, sent)
  const { ref, typed, pending, failure } = form
  useEffect(() => ref.current?.querySelector<HTMLElement>('input[type=text]')?.focus(), [ref])
  return (
    <Form
      name="spoken"
      ref={ref}
      onSubmit={form.onSubmit}
      aria-label="Get a number to read aloud"
      className="appear space-y-5 rounded-card border border-line bg-surface p-4 sm:p-6"
    >
      <div>
        <h2 className="text-lg font-semibold">Read it aloud</h2>
        <p className="mt-1 text-sm text-muted">
          A number of a few digits, for a call, a class or a radio show. It works for a while and then goes to someone else.
        </p>
      </div>
      <TextField label="URL" {...form.field('url', url)} {...addressInput} placeholder="Paste a long URL" />
      <div className="grid gap-5 sm:grid-cols-[2fr_3fr]">
        <div>
          <p aria-hidden="true" className="mb-1.5 text-sm font-medium">
            Digits
          </p>
          <RadioSegments label="Digits" name="digits" value={typed.digits ?? 4} options={DIGITS} />
        </div>
        <div>
          <p aria-hidden="true" className="mb-1.5 text-sm font-medium">
            Works for
          </p>
          <RadioSegments label="Works for" name="ttl" value={typed.ttl ?? 3_600} options={LIFETIMES} />
        </div>
      </div>
      {failure && <FailureMessage>{failure}</FailureMessage>}
      {/* In the order in which Enter looks for a button to press. */}
      <div className="flex flex-col gap-3 sm:flex-row sm:justify-end">
        <Button type="submit" look="primary" busy={pending}>
          {pending ? 'Getting a number…' : 'Get a number'}
        </Button>
        <Button
          type="submit"
          name="form"
          value="show-shorten"
          className="order-last sm:order-first"
          onClick={(event) => {
            event.preventDefault()
            onCancel()
          }}
        >
          Make a lasting link instead
        </Button>
      </div>
    </Form>
  )
}
