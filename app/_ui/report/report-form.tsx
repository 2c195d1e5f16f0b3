'use client'

import { type FormEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '@/app/_ui/base/button'
import { Field, FieldError, TextField, textAreaClass } from '@/app/_ui/base/field'
import { Notice } from '@/app/_ui/base/notice'
import { fieldErrors, focusFirstInvalid, textOf } from '@/app/_ui/data/form'
import type { FieldErrors } from '@/app/_ui/data/http'
import { createReport, type ReportBody } from '@/app/_ui/data/reports'
import { CreateReport, REPORT_REASONS } from '@/lib/reports/schemas'

type Reason = (typeof REPORT_REASONS)[number]

const REASONS: Record<Reason, { name: string; hint: string }> = {
  phishing: { name: 'Phishing', hint: 'It pretends to be a site it is not, to get passwords or money.' },
  malware: { name: 'Malware', hint: 'It tries to install something harmful.' },
  spam: { name: 'Spam', hint: 'It came with messages nobody asked for.' },
  illegal: { name: 'Illegal content', hint: 'What it leads to breaks the law.' },
  other: { name: 'Something else', hint: 'Say what below.' },
}

const FIELDS = ['shortUrl', 'reason', 'details', 'email']

interface Props {
  link: string
  onSent: (reference: string) => void
}

export function ReportForm({ link, onSent }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const [errors, setErrors] = useState<FieldErrors>({})
  const [problem, setProblem] = useState<string | null>(null)
  const [pending, setPending] = useState(false)
  const clear = (name: string) => setErrors((before) => (before[name] ? { ...before, [name]: undefined } : before))
  const show = (found: FieldErrors) => {
    // On the page at once, so that the cursor can go to the first of them.
    flushSync(() => setErrors(found))
    focusFirstInvalid(form.current)
  }
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (pending) return
    setProblem(null)
    const body = bodyOf(new FormData(event.currentTarget))
    const parsed = CreateReport.safeParse(body)
    if (!parsed.success) return show(fieldErrors(parsed.error))
    setPending(true)
    const result = await createReport(body)
    setPending(false)
    if (result.ok) return onSent(result.value.reference)
    const { kind, message, said, fields } = result.failure
    if (kind === 'gone') return show({ shortUrl: said ?? 'There is no such link here.' })
    if (!FIELDS.some((name) => fields[name])) setProblem(message)
    show(fields)
  }
  return (
    <>
      <h1 className="text-3xl font-semibold tracking-tight">Report a link</h1>
      <p className="mt-3 text-muted text-pretty">
        Someone looks at every report. A link that breaks the rules stops working, and whoever follows it is told why.
      </p>
      <form ref={form} onSubmit={submit} noValidate aria-label="Report a link" className="mt-8 space-y-6">
        <TextField
          label="Short link"
          name="shortUrl"
          type="text"
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          defaultValue={link}
          error={errors.shortUrl}
          hint="Copy it without opening it."
          onChange={() => clear('shortUrl')}
        />
        <ReasonField error={errors.reason} onEdit={() => clear('reason')} />
        <Field label="Details (optional)" error={errors.details} hint="Where it was sent to you, what happened.">
          {(control) => (
            <textarea
              {...control}
              name="details"
              rows={4}
              maxLength={2000}
              onChange={() => clear('details')}
              className={textAreaClass}
            />
          )}
        </Field>
        <TextField
          label="Your e-mail (optional)"
          name="email"
          type="email"
          autoComplete="email"
          error={errors.email}
          hint="Only for an answer to this report."
          onChange={() => clear('email')}
        />
        {problem && <Notice>{problem}</Notice>}
        <Button type="submit" look="primary" disabled={pending} className="w-full sm:w-auto">
          {pending ? 'Sending…' : 'Send the report'}
        </Button>
      </form>
    </>
  )
}

function ReasonField({ error, onEdit }: { error: string | undefined; onEdit: () => void }) {
  return (
    <fieldset aria-describedby={error ? 'reason-error' : undefined}>
      <legend className="mb-1.5 text-sm font-medium">What is wrong with it?</legend>
      <div className="divide-y divide-line rounded-control border border-line-strong bg-surface">
        {REPORT_REASONS.map((reason) => (
          <label key={reason} className="flex cursor-pointer items-start gap-3 px-3.5 py-3 has-checked:bg-accent-soft">
            <input
              type="radio"
              name="reason"
              value={reason}
              aria-invalid={error ? true : undefined}
              onChange={onEdit}
              className="mt-1 size-4 shrink-0 accent-accent"
            />
            <span>
              <span className="block text-[15px] font-medium">{REASONS[reason].name}</span>
              <span className="block text-[13px] text-muted">{REASONS[reason].hint}</span>
            </span>
          </label>
        ))}
      </div>
      {error && <FieldError id="reason-error">{error}</FieldError>}
    </fieldset>
  )
}

/** What was filled in. A reason that was not chosen is left out, for the schema to miss. */
function bodyOf(data: FormData): ReportBody {
  const reason = REPORT_REASONS.find((known) => known === textOf(data, 'reason'))
  const body = { shortUrl: textOf(data, 'shortUrl'), details: textOf(data, 'details'), email: textOf(data, 'email').trim() }
  return { ...body, reason: reason as Reason }
}
