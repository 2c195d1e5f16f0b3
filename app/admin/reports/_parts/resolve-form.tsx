import { useState } from 'react'
import { toast } from 'sonner'
import { Button } from '@/app/_ui/base/button'
import { Checkbox } from '@/app/_ui/base/checkbox'
import { Choices } from '@/app/_ui/base/choices'
import { FailureMessage } from '@/app/_ui/base/failure'
import { TextAreaField } from '@/app/_ui/base/field'
import { Form } from '@/app/_ui/base/form'
import { type Resolution, resolveReport } from '@/app/_ui/data/admin'
import { formatCount } from '@/app/_ui/data/time'
import { useForm } from '@/app/_ui/data/use-form'
import { withReason } from '@/app/admin/_parts/act'
import { ReasonField } from '@/app/admin/_parts/reason-field'
import { textOf } from '@/lib/forms/fields'
import type { ReportView } from '@/lib/reports/schemas'

type Action = Resolution['action']

const ACTIONS: { value: Action; title: string; hint: string; done: string }[] = [
  {
    value: 'ban',
    title: 'Ban the link',
    hint: 'It leads nowhere, visitors read why, and only an admin can lift it.',
    done: 'The link is banned',
  },
  {
    value: 'disable',
    title: 'Disable the link',
    hint: 'It leads nowhere until its owner switches it on again.',
    done: 'The link is disabled',
  },
  { value: 'delete', title: 'Delete the link', hint: 'It can be restored for a while.', done: 'The link is deleted' },
  { value: 'dismiss', title: 'Dismiss the report', hint: 'Nothing is wrong with the link.', done: 'The report is dismissed' },
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
      <Choices label="What to do" labelHidden name="action" options={actions} defaultValue={action} onChange={setAction} />
      {action === 'ban' && <ReasonField hint="Visitors of the link read it." />}
      <TextAreaField
        label="Answer (optional)"
        name="answer"
        maxLength={2000}
        hint={report.email ? 'Kept with the report, and sent to its reporter where mails are sent.' : 'Kept with the report.'}
      />
      {openOthers > 0 && (
        <Checkbox
          label={`Also close ${formatCount(openOthers, 'other open report', 'other open reports')} of this link`}
          checked={others}
          onChange={setOthers}
        />
      )}
      {form.failure && <FailureMessage>{form.failure}</FailureMessage>}
      <Button type="submit" look={action === 'dismiss' ? 'primary' : 'danger'} busy={form.pending} className="w-full">
        {chosen?.title}
      </Button>
    </Form>
  )
}
