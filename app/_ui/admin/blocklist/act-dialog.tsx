import { type FormEvent, useState } from 'react'
import { Button } from '@/app/_ui/base/button'
import { Dialog } from '@/app/_ui/base/dialog'
import { TextField } from '@/app/_ui/base/field'
import { JobProgress } from '@/app/_ui/base/job-progress'
import { Notice } from '@/app/_ui/base/notice'
import { Segments } from '@/app/_ui/base/segments'
import { actOnMatches } from '@/app/_ui/data/admin'
import { textOf } from '@/app/_ui/data/form'
import type { BlockRuleView } from '@/lib/admin/schemas'
import type { JobView } from '@/lib/jobs/schemas'
import { reasonOf } from '../base/act'

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
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [job, setJob] = useState<JobView | null>(null)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // Events of React find their way out of a dialog.
    event.stopPropagation()
    if (busy) return
    setBusy(true)
    setProblem(null)
    const result = await actOnMatches(rule.id, { action, reason: textOf(new FormData(event.currentTarget), 'reason') })
    setBusy(false)
    if (result.ok) setJob(result.value)
    else setProblem(reasonOf(result.failure))
  }
  if (job) return <JobProgress job={job} onOver={setJob} onClose={onClose} />
  return (
    <form onSubmit={submit} noValidate aria-label="Links that match" className="space-y-5">
      <div>
        <Segments label="What to do with them" value={action} options={ACTIONS} onChange={setAction} />
        <p className="mt-1.5 text-[13px] text-muted">{HINTS[action]}</p>
      </div>
      {action === 'ban' && (
        <TextField
          label="Reason (optional)"
          name="reason"
          maxLength={255}
          autoComplete="off"
          defaultValue={rule.reason}
          hint="Whoever follows one of them reads it."
        />
      )}
      {problem && <Notice>{problem}</Notice>}
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        <Button onClick={onClose}>Leave them</Button>
        <Button type="submit" look="danger" disabled={busy}>
          {ACTIONS.find(({ value }) => value === action)?.label} all of them
        </Button>
      </div>
    </form>
  )
}
