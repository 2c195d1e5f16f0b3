import { type FormEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { toast } from 'sonner'
import { Button } from '@/app/_ui/base/button'
import { Dialog } from '@/app/_ui/base/dialog'
import { TextField } from '@/app/_ui/base/field'
import { Notice } from '@/app/_ui/base/notice'
import { Select } from '@/app/_ui/base/select'
import { createRule } from '@/app/_ui/data/admin'
import { fieldErrors, focusFirstInvalid, textOf } from '@/app/_ui/data/form'
import type { FieldErrors } from '@/app/_ui/data/http'
import { formatCount } from '@/app/_ui/data/time'
import { BLOCK_KINDS, type BlockRuleView, CreateBlockRule } from '@/lib/admin/schemas'
import { reasonOf } from '../base/act'
import { ActOnMatches } from './act-dialog'
import { KIND_NAMES, KINDS, type Kind } from './words'

interface Props {
  onAdded: () => void
  onClose: () => void
}

/** Adds a rule, and then asks what becomes of the links that it would have refused. */
export function AddDialog({ onAdded, onClose }: Props) {
  const [rule, setRule] = useState<BlockRuleView | null>(null)
  const added = (made: BlockRuleView) => {
    onAdded()
    toast(`${made.value} is blocked`)
    if (made.matches) setRule(made)
    else onClose()
  }
  if (rule === null) {
    return (
      <Dialog title="Add a rule" description="New links that match are refused from then on." onClose={onClose}>
        <RuleForm onAdded={added} onCancel={onClose} />
      </Dialog>
    )
  }
  return (
    <Dialog
      title={`${rule.value} is blocked`}
      description={`${formatCount(rule.matches ?? 0, 'link that is', 'links that are')} here already would have been refused. They still work.`}
      onClose={onClose}
    >
      <ActOnMatches rule={rule} onClose={onClose} />
    </Dialog>
  )
}

const KIND_OPTIONS = BLOCK_KINDS.map((value) => ({ value, label: KIND_NAMES[value] }))

function RuleForm({ onAdded, onCancel }: { onAdded: (rule: BlockRuleView) => void; onCancel: () => void }) {
  const form = useRef<HTMLFormElement>(null)
  const [kind, setKind] = useState<Kind>('host')
  const [errors, setErrors] = useState<FieldErrors>({})
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const show = (found: FieldErrors) => {
    flushSync(() => setErrors(found))
    focusFirstInvalid(form.current)
  }
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // Events of React find their way out of a dialog.
    event.stopPropagation()
    if (busy) return
    setProblem(null)
    const data = new FormData(event.currentTarget)
    const body = { kind, value: textOf(data, 'value'), reason: textOf(data, 'reason') }
    const parsed = CreateBlockRule.safeParse(body)
    if (!parsed.success) return show(fieldErrors(parsed.error))
    setBusy(true)
    const result = await createRule(body)
    setBusy(false)
    if (result.ok) return onAdded(result.value)
    const { fields } = result.failure
    if (!fields.value && !fields.reason) setProblem(reasonOf(result.failure))
    show(fields)
  }
  return (
    <form ref={form} onSubmit={submit} noValidate aria-label="Add a rule" className="space-y-5">
      <Select label="Kind" labelShown value={kind} options={KIND_OPTIONS} onChange={setKind} />
      <TextField
        label={KIND_NAMES[kind]}
        name="value"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder={KINDS[kind].example}
        error={errors.value}
        hint={KINDS[kind].hint}
        onChange={() => setErrors({})}
      />
      <TextField
        label="Reason (optional)"
        name="reason"
        autoComplete="off"
        maxLength={255}
        error={errors.reason}
        hint="Told to whoever is refused."
        onChange={() => setErrors({})}
      />
      {problem && <Notice>{problem}</Notice>}
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" look="primary" disabled={busy}>
          Block it
        </Button>
      </div>
    </form>
  )
}
