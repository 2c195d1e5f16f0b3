'use client'

import { Button } from '@/app/_ui/base/button'
import { FailureMessage } from '@/app/_ui/base/failure'
import { Field, FieldError, TextField, textAreaClass } from '@/app/_ui/base/field'
import { Form } from '@/app/_ui/base/form'
import { createReport } from '@/app/_ui/data/reports'
import { useForm } from '@/app/_ui/data/use-form'
import { reportFailure } from '@/lib/forms/failure'
import { readReport } from '@/lib/forms/read'
import type { SentForm } from '@/lib/forms/sent'
import { REPORT_REASONS } from '@/lib/reports/schemas'

type Reason = (typeof REPORT_REASONS)[number]

const REASONS: Record<Reason, { name: string; hint: string }> = {
  phishing: { name: 'Phishing', hint: 'It pretends to be a site it is not, to get passwords or money.' },
  malware: { name: 'Malware', hint: 'It tries to install something harmful.' },
  spam: { name: 'Spam', hint: 'It came with messages nobody asked for.' },
  illegal: { name: 'Illegal content', hint: 'What it leads to breaks the law.' },
  other: { name: 'Something else', hint: 'Say what below.' },
}

interface Props {
  link: string
  sent: SentForm | null
  onSent: (reference: string) => void
}

export function ReportForm({ link, sent, onSent }: Props) {
  const form = useForm(async (data) => {
    const read = readReport(data)
    if (!read.ok) return read.failure
    const result = await createReport(read.value)
    if (!result.ok) return reportFailure(result.failure)
    onSent(result.value.reference)
    return null
  }, sent)
  const { errors, typed, clear } = form
  return (
    <>
      <h1 className="text-3xl font-semibold tracking-tight">Report a link</h1>
      <p className="mt-3 text-muted text-pretty">
        Someone looks at every report. A link that breaks the rules stops working, and its visitors are told why.
      </p>
      <Form name="report" ref={form.ref} onSubmit={form.onSubmit} aria-label="Report a link" className="mt-8 space-y-6">
        <TextField
          label="Short link"
          name="shortUrl"
          type="text"
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          defaultValue={typed.shortUrl ?? link}
          error={errors.shortUrl}
          hint="Copy it without opening it."
          onChange={() => clear('shortUrl')}
        />
        <ReasonField chosen={typed.reason} error={errors.reason} onEdit={() => clear('reason')} />
        <Field label="Details (optional)" error={errors.details} hint="Where it was sent to you, what happened.">
          {(control) => (
            <textarea
              {...control}
              name="details"
              rows={4}
              maxLength={2000}
              defaultValue={typed.details}
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
          defaultValue={typed.email}
          error={errors.email}
          hint="Only for an answer to this report."
          onChange={() => clear('email')}
        />
        {form.failure && <FailureMessage>{form.failure}</FailureMessage>}
        <Button type="submit" look="primary" busy={form.pending} className="w-full sm:w-auto">
          {form.pending ? 'Sending…' : 'Send the report'}
        </Button>
      </Form>
    </>
  )
}

interface ReasonProps {
  /** Chosen before. */
  chosen: string | undefined
  error: string | undefined
  onEdit: () => void
}

function ReasonField({ chosen, error, onEdit }: ReasonProps) {
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
              defaultChecked={reason === chosen}
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
