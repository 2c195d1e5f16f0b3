'use client'

import { Button } from '@/app/_ui/base/button'
import { Choices } from '@/app/_ui/base/choices'
import { FailureMessage } from '@/app/_ui/base/failure'
import { addressInput, TextAreaField, TextField } from '@/app/_ui/base/field'
import { Form } from '@/app/_ui/base/form'
import { createReport } from '@/app/_ui/data/api'
import { useForm } from '@/app/_ui/data/use-form'
import { reportFailure } from '@/lib/forms/failure'
import { readReport } from '@/lib/forms/read'
import type { SentForm } from '@/lib/forms/sent'
import { REPORT_REASONS } from '@/lib/reports/schemas'

const REASONS: Record<(typeof REPORT_REASONS)[number], { title: string; hint: string }> = {
  phishing: { title: 'Phishing', hint: 'It pretends to be a site it is not, to get passwords or money.' },
  malware: { title: 'Malware', hint: 'It tries to install something harmful.' },
  spam: { title: 'Spam', hint: 'It came with messages nobody asked for.' },
  illegal: { title: 'Illegal content', hint: 'What it leads to breaks the law.' },
  other: { title: 'Something else', hint: 'Say what below.' },
}
const CHOICES = REPORT_REASONS.map((value) => ({ value, ...REASONS[value] }))

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
  return (
    <>
      <h1 className="text-3xl font-semibold tracking-tight">Report a link</h1>
      <p className="mt-3 text-muted text-pretty">
        Someone looks at every report. A link that breaks the rules stops working, and its visitors are told why.
      </p>
      <Form name="report" ref={form.ref} onSubmit={form.onSubmit} aria-label="Report a link" className="mt-8 space-y-6">
        <TextField label="Short link" {...form.field('shortUrl', link)} {...addressInput} hint="Copy it without opening it." />
        <Choices label="What is wrong with it?" {...form.field('reason')} options={CHOICES} />
        <TextAreaField
          label="Details (optional)"
          {...form.field('details')}
          rows={4}
          maxLength={2000}
          hint="Where it was sent to you, what happened."
        />
        <TextField
          label="Your e-mail (optional)"
          {...form.field('email')}
          type="email"
          autoComplete="email"
          hint="Only for an answer to this report."
        />
        {form.failure && <FailureMessage>{form.failure}</FailureMessage>}
        <Button type="submit" look="primary" busy={form.pending} className="w-full sm:w-auto">
          {form.pending ? 'Sending…' : 'Send the report'}
        </Button>
      </Form>
    </>
  )
}
