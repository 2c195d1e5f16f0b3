import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { Checkbox } from '@/app/_ui/base/checkbox'
import { Choices } from '@/app/_ui/base/choices'
import { FailureMessage } from '@/app/_ui/base/failure'
import { TextAreaField } from '@/app/_ui/base/field'
import { Form } from '@/app/_ui/base/form'
import { toast } from '@/app/_ui/base/toast'
import { type Resolution, resolveReport } from '@/app/_ui/data/admin'
import { useForm } from '@/app/_ui/data/use-form'
import { ReasonField } from '@/app/admin/_parts/reason-field'
import { withReason } from '@/app/admin/_parts/reason-of'
import { textOf } from '@/lib/forms/fields'
import type { ReportView } from '@/lib/reports/schemas'

type Action = Resolution['action']

const ACTIONS = ['ban', 'disable', 'delete', 'dismiss'] as const satisfies readonly Action[]

interface Props {
  report: ReportView
  /** Reports of the same link that wait as well. */
  openOthers: number
  onHandled: () => void
}

/** What is done about a report. */
export function ResolveForm({ report, openOthers, onHandled }: Props) {
  const t = useTranslations('reports.resolve')
  // Of a link that is gone there is nothing left to ban.
  const possible = report.link === null ? (['dismiss'] as const) : ACTIONS
  const [action, setAction] = useState<Action>(possible[0])
  const [others, setOthers] = useState(true)
  const actions = possible.map((value) => ({ value, title: t(`${value}.title`), hint: t(`${value}.hint`) }))
  const form = useForm(async (data) => {
    const body = { action, reason: textOf(data, 'reason'), answer: textOf(data, 'answer'), others }
    const result = await resolveReport(report.id, body)
    if (!result.ok) return withReason(result.failure)
    toast(t(`${action}.done`))
    onHandled()
    return null
  })
  return (
    <Form name={null} ref={form.ref} onSubmit={form.onSubmit} aria-label={t('form')} className="mt-2 space-y-4">
      <Choices label={t('action')} labelHidden name="action" options={actions} defaultValue={action} onChange={setAction} />
      {action === 'ban' && <ReasonField hint={t('banHint')} />}
      <TextAreaField label={t('answer')} name="answer" maxLength={2000} hint={report.email ? t('answerSent') : t('answerKept')} />
      {openOthers > 0 && <Checkbox label={t('others', { count: openOthers })} checked={others} onChange={setOthers} />}
      {form.failure && <FailureMessage>{form.failure}</FailureMessage>}
      <Button type="submit" look={action === 'dismiss' ? 'primary' : 'danger'} busy={form.pending} className="w-full">
        {t(`${action}.title`)}
      </Button>
    </Form>
  )
}
