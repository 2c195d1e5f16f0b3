import { useState } from 'react'
import { toast } from 'sonner'
import { Button } from '@/app/_ui/base/button'
import { Checkbox } from '@/app/_ui/base/checkbox'
import { FailureMessage } from '@/app/_ui/base/failure'
import { Field, TextField, textAreaClass } from '@/app/_ui/base/field'
import { Form } from '@/app/_ui/base/form'
import { type Resolution, resolveReport } from '@/app/_ui/data/admin'
import { formatCount } from '@/app/_ui/data/time'
import { useForm } from '@/app/_ui/data/use-form'
import { withReason } from '@/app/admin/_parts/act'
import { textOf } from '@/lib/forms/fields'
import type { ReportView } from '@/lib/reports/schemas'

type Action = Resolution['action']

const ACTIONS: { value: Action; title: string; hint: string; button: string; done: string }[] = [
  {
    value: 'ban',
    title: 'Ban the link',
    hint: 'It leads nowhere, visitors read why, and only an admin can lift it.',
    button: 'Ban the link',
    done: 'The link is banned',
  },
  {
    value: 'disable',
    title: 'Disable the link',
    hint: 'It leads nowhere until its owner switches it on again.',
    button: 'Disable the link',
    done: 'The link is disabled',
  },
  {
    value: 'delete',
    title: 'Delete the link',
    hint: 'It can be restored for a while.',
    button: 'Delete the link',
    done: 'The link is deleted',
  },
  {
    value: 'dismiss',
    title: 'Dismiss the report',
    hint: 'Nothing is wrong with the link.',
    button: 'Dismiss the report',
    done: 'The report is dismissed',
  },
]

interface Props {
  report: ReportView
  /** Reports of the same link that wait as well. */
  openOthers: number
  onHandled: () => void
}

/** What is done about a report. */
export function ResolveForm({ report, openOthers, onHandled }: Props) {
  // Of a link that is gone there is nothing left to ban.
  const actions = report.link === null ? ACTIONS.filter(({ value }) => value === 'dismiss') : ACTIONS
  const [action, setAction] = useState<Action>(actions[0]?.value ?? 'dismiss')
  const [others, setOthers] = useState(true)
  const chosen = ACTIONS.find(({ value }) => value === action)
  const form = useForm(async (data) => {
    const body = { action, reason: textOf(data, 'reason'), answer: textOf(data, 'answer'), others }
    const result = await resolveReport(report.id, body)
    if (!result.ok) return withReason(result.failure)
    toast(chosen?.done ?? '')
    onHandled()
    return null
  })
  return (
    <Form name={null} ref={form.ref} onSubmit={form.onSubmit} aria-label="Decide about the report" className="mt-2 space-y-4">
      <fieldset>
        <legend className="sr-only">What to do</legend>
        <div className="divide-y divide-line rounded-control border border-line-strong bg-surface">
          {actions.map(({ value, title, hint }) => (
            <label key={value} className="flex cursor-pointer items-start gap-3 px-3.5 py-2.5 has-checked:bg-accent-soft">
              <input
                type="radio"
                name="action"
                value={value}
                checked={value === action}
                onChange={() => setAction(value)}
                className="mt-1 size-4 shrink-0 accent-accent"
              />
              <span>
                <span className="block text-[15px] font-medium">{title}</span>
                <span className="block text-[13px] text-muted">{hint}</span>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      {action === 'ban' && (
        <TextField
          label="Reason (optional)"
          name="reason"
          maxLength={255}
          autoComplete="off"
          hint="Visitors of the link read it."
        />
      )}
      <Field
        label="Answer (optional)"
        hint={report.email ? 'Kept with the report, and sent to its reporter where mails are sent.' : 'Kept with the report.'}
      >
        {(control) => <textarea {...control} name="answer" rows={3} maxLength={2000} className={textAreaClass} />}
      </Field>
      {openOthers > 0 && (
        <Checkbox
          label={`Also close ${formatCount(openOthers, 'other open report', 'other open reports')} of this link`}
          checked={others}
          onChange={setOthers}
        />
      )}
      {form.failure && <FailureMessage>{form.failure}</FailureMessage>}
      <Button type="submit" look={action === 'dismiss' ? 'primary' : 'danger'} busy={form.pending} className="w-full">
        {chosen?.button}
      </Button>
    </Form>
  )
}
