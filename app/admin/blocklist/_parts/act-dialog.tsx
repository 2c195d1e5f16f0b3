import { useState } from 'react'
import { Dialog } from '@/app/_ui/base/dialog'
import { Form } from '@/app/_ui/base/form'
import { FormActions } from '@/app/_ui/base/form-actions'
import { JobProgress } from '@/app/_ui/base/job-progress'
import { Segments } from '@/app/_ui/base/segments'
import { actOnMatches } from '@/app/_ui/data/admin'
import { useForm } from '@/app/_ui/data/use-form'
import { withReason } from '@/app/admin/_parts/act'
import { ReasonField } from '@/app/admin/_parts/reason-field'
import type { BlockRuleView } from '@/lib/blocklist/schemas'
import { textOf } from '@/lib/forms/fields'
import type { JobView } from '@/lib/jobs/schemas'

type Action = 'disable' | 'ban' | 'delete'

const ACTIONS = [
  { value: 'ban', label: 'Ban' },
  { value: 'disable', label: 'Disable' },
  { value: 'delete', label: 'Delete' },
] as const

const HINTS: Record<Action, string> = {
  ban: 'They lead nowhere, and only an admin can lift that.',
  disable: 'They lead nowhere until their owners switch them on again.',
  delete: 'They can be restored for a while.',
}

interface Props {
  rule: BlockRuleView
  onClose: () => void
}

/** Does something to the links that a rule matches, some time after it was made. */
export function ActDialog({ rule, onClose }: Props) {
  return (
    <Dialog
      title={`Links that match ${rule.value}`}
      description="The rule refuses new links only. What becomes of those there are already?"
      onClose={onClose}
    >
      <ActOnMatches rule={rule} onClose={onClose} />
    </Dialog>
  )
}

export function ActOnMatches({ rule, onClose }: Props) {
  const [action, setAction] = useState<Action>('ban')
  const [job, setJob] = useState<JobView | null>(null)
  const form = useForm(async (data) => {
    const result = await actOnMatches(rule.id, { action, reason: textOf(data, 'reason') })
    if (!result.ok) return withReason(result.failure)
    setJob(result.value)
    return null
  })
  if (job) return <JobProgress job={job} onOver={setJob} onClose={onClose} />
  return (
    <Form name={null} ref={form.ref} onSubmit={form.onSubmit} aria-label="Links that match" className="space-y-5">
      <div>
        <Segments label="What to do with them" value={action} options={ACTIONS} onChange={setAction} />
        <p className="mt-1.5 text-[13px] text-muted">{HINTS[action]}</p>
      </div>
      {action === 'ban' && <ReasonField defaultValue={rule.reason} hint="Visitors of these links read it." />}
      <FormActions form={form} action={`${nameOf(action)} all of them`} danger cancel="Leave them" onCancel={onClose} />
    </Form>
  )
}

const nameOf = (action: Action) => ACTIONS.find(({ value }) => value === action)?.label
