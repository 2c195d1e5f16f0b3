import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Dialog } from '@/app/_ui/base/dialog'
import { Form } from '@/app/_ui/base/form'
import { FormActions } from '@/app/_ui/base/form-actions'
import { JobProgress } from '@/app/_ui/base/job-progress'
import { Segments } from '@/app/_ui/base/segments'
import { actOnMatches } from '@/app/_ui/data/admin'
import { useForm } from '@/app/_ui/data/use-form'
import { ReasonField } from '@/app/admin/_parts/reason-field'
import { withReason } from '@/app/admin/_parts/reason-of'
import type { BlockRuleView } from '@/lib/blocklist/schemas'
import { textOf } from '@/lib/forms/fields'
import type { JobView } from '@/lib/jobs/schemas'

const ACTIONS = ['ban', 'disable', 'delete'] as const
type Action = (typeof ACTIONS)[number]

interface Props {
  rule: BlockRuleView
  onClose: () => void
}

/** Does something to the links that a rule matches, some time after it was made. */
export function ActDialog({ rule, onClose }: Props) {
  const t = useTranslations('admin.blocklist.acting')
  return (
    <Dialog title={t('title', { rule: rule.value })} description={t('text')} onClose={onClose}>
      <ActOnMatches rule={rule} onClose={onClose} />
    </Dialog>
  )
}

export function ActOnMatches({ rule, onClose }: Props) {
  const t = useTranslations('admin.blocklist.acting')
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
    <Form name={null} ref={form.ref} onSubmit={form.onSubmit} aria-label={t('form')} className="space-y-5">
      <div>
        <Segments
          label={t('action')}
          value={action}
          options={ACTIONS.map((value) => ({ value, label: t(`${value}.name`) }))}
          onChange={setAction}
        />
        <p className="mt-1.5 text-[13px] text-muted">{t(`${action}.hint`)}</p>
      </div>
      {action === 'ban' && <ReasonField defaultValue={rule.reason} hint={t('reasonHint')} />}
      <FormActions form={form} action={t(`${action}.submit`)} danger cancel={t('leave')} onCancel={onClose} />
    </Form>
  )
}
