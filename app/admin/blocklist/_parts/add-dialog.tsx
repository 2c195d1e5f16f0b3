import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Dialog } from '@/app/_ui/base/dialog'
import { TextField } from '@/app/_ui/base/field'
import { Form } from '@/app/_ui/base/form'
import { FormActions } from '@/app/_ui/base/form-actions'
import { Select } from '@/app/_ui/base/select'
import { toast } from '@/app/_ui/base/toast'
import { createRule } from '@/app/_ui/data/admin'
import { useForm } from '@/app/_ui/data/use-form'
import { ReasonField } from '@/app/admin/_parts/reason-field'
import { withReason } from '@/app/admin/_parts/reason-of'
import type { BlockRuleView } from '@/lib/blocklist/schemas'
import { BLOCK_KINDS } from '@/lib/blocklist/values'
import { textOf } from '@/lib/forms/fields'
import { ActOnMatches } from './act-dialog'

interface Props {
  onAdded: () => void
  onClose: () => void
}

/** Adds a rule, and then asks what becomes of the links that it would have refused. */
export function AddDialog({ onAdded, onClose }: Props) {
  const t = useTranslations('admin.blocklist.adding')
  const [rule, setRule] = useState<BlockRuleView | null>(null)
  const added = (made: BlockRuleView) => {
    onAdded()
    toast(t('done', { rule: made.value }))
    if (made.matches) setRule(made)
    else onClose()
  }
  if (rule === null) {
    return (
      <Dialog title={t('title')} description={t('text')} onClose={onClose}>
        <RuleForm onAdded={added} onCancel={onClose} />
      </Dialog>
    )
  }
  return (
    <Dialog
      title={t('done', { rule: rule.value })}
      description={t('matches', { more: rule.more ? 'yes' : 'no', count: rule.matches ?? 0 })}
      onClose={onClose}
    >
      <ActOnMatches rule={rule} onClose={onClose} />
    </Dialog>
  )
}

type Kind = BlockRuleView['kind']

const EXAMPLES: Record<Kind, string> = {
  host: 'bad.example.com',
  suffix: 'example.com',
  word: 'casino',
  client: '203.0.113.0/24',
}

function RuleForm({ onAdded, onCancel }: { onAdded: (rule: BlockRuleView) => void; onCancel: () => void }) {
  const t = useTranslations('admin.blocklist')
  const [kind, setKind] = useState<Kind>('host')
  const form = useForm(async (data) => {
    const body = { kind, value: textOf(data, 'value'), reason: textOf(data, 'reason') }
    const result = await createRule(body)
    if (!result.ok) return withReason(result.failure)
    onAdded(result.value)
    return null
  })
  return (
    <Form name={null} ref={form.ref} onSubmit={form.onSubmit} aria-label={t('adding.title')} className="space-y-5">
      <Select
        label={t('adding.kind')}
        labelShown
        value={kind}
        options={BLOCK_KINDS.map((value) => ({ value, label: t(`kinds.${value}.name`) }))}
        onChange={setKind}
      />
      <TextField
        label={t(`kinds.${kind}.name`)}
        {...form.field('value')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder={EXAMPLES[kind]}
        hint={t(`kinds.${kind}.hint`)}
      />
      <ReasonField {...form.field('reason')} hint={t('adding.reasonHint')} />
      <FormActions form={form} action={t('adding.submit')} onCancel={onCancel} />
    </Form>
  )
}
