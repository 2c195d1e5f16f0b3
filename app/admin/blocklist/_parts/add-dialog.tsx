import { useState } from 'react'
import { toast } from 'sonner'
import { Dialog } from '@/app/_ui/base/dialog'
import { TextField } from '@/app/_ui/base/field'
import { Form } from '@/app/_ui/base/form'
import { FormActions } from '@/app/_ui/base/form-actions'
import { Select } from '@/app/_ui/base/select'
import { createRule } from '@/app/_ui/data/admin'
import { formatCount } from '@/app/_ui/data/time'
import { invalidBy, useForm } from '@/app/_ui/data/use-form'
import { withReason } from '@/app/admin/_parts/act'
import { ReasonField } from '@/app/admin/_parts/reason-field'
import { BLOCK_KINDS, type BlockRuleView, CreateBlockRule } from '@/lib/blocklist/schemas'
import { textOf } from '@/lib/forms/fields'
import { ActOnMatches } from './act-dialog'
import { KIND_NAMES, KINDS, type Kind } from './kind-names'

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
      description={`${rule.more ? 'At least ' : ''}${formatCount(rule.matches ?? 0, 'link matches it and still works', 'links match it and still work')}.`}
      onClose={onClose}
    >
      <ActOnMatches rule={rule} onClose={onClose} />
    </Dialog>
  )
}

const KIND_OPTIONS = BLOCK_KINDS.map((value) => ({ value, label: KIND_NAMES[value] }))

function RuleForm({ onAdded, onCancel }: { onAdded: (rule: BlockRuleView) => void; onCancel: () => void }) {
  const [kind, setKind] = useState<Kind>('host')
  const form = useForm(async (data) => {
    const body = { kind, value: textOf(data, 'value'), reason: textOf(data, 'reason') }
    const parsed = CreateBlockRule.safeParse(body)
    if (!parsed.success) return invalidBy(parsed.error)
    const result = await createRule(body)
    if (!result.ok) return withReason(result.failure)
    onAdded(result.value)
    return null
  })
  return (
    <Form name={null} ref={form.ref} onSubmit={form.onSubmit} aria-label="Add a rule" className="space-y-5">
      <Select label="Kind" labelShown value={kind} options={KIND_OPTIONS} onChange={setKind} />
      <TextField
        label={KIND_NAMES[kind]}
        {...form.field('value')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder={KINDS[kind].example}
        hint={KINDS[kind].hint}
      />
      <ReasonField {...form.field('reason')} hint="Shown to those who are refused." />
      <FormActions form={form} action="Block it" onCancel={onCancel} />
    </Form>
  )
}
