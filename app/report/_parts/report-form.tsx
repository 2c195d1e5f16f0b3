'use client'

import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { Choices } from '@/app/_ui/base/choices'
import { FailureMessage } from '@/app/_ui/base/failure'
import { addressInput, TextAreaField, TextField } from '@/app/_ui/base/field'
import { Form } from '@/app/_ui/base/form'
import { createReport } from '@/app/_ui/data/api'
import { useForm } from '@/app/_ui/data/use-form'
import { write } from '@/app/_ui/data/words'
import { reportFailure } from '@/lib/forms/failure'
import { readReport } from '@/lib/forms/read'
import type { SentForm } from '@/lib/forms/sent'
import { REPORT_REASONS } from '@/lib/reports/values'

interface Props {
  link: string
  sent: SentForm | null
  onSent: (reference: string) => void
}

export function ReportForm({ link, sent, onSent }: Props) {
  const t = useTranslations('report')
  const form = useForm(async (data) => {
    const read = readReport(data, write)
    if (!read.ok) return read.failure
    const result = await createReport(read.value)
    if (!result.ok) return reportFailure(result.failure)
    onSent(result.value.reference)
    return null
  }, sent)
  const reasons = REPORT_REASONS.map((value) => ({
    value,
    title: t(`reason.${value}.title`),
    hint: t(`reason.${value}.hint`),
  }))
  return (
    <>
      <h1 className="text-3xl font-semibold tracking-tight">{t('title')}</h1>
      <p className="mt-3 text-muted text-pretty">{t('intro')}</p>
      <Form name="report" ref={form.ref} onSubmit={form.onSubmit} aria-label={t('title')} className="mt-8 space-y-6">
        <TextField label={t('shortUrl.label')} {...form.field('shortUrl', link)} {...addressInput} hint={t('shortUrl.hint')} />
        <Choices label={t('reason.label')} {...form.field('reason')} options={reasons} />
        <TextAreaField label={t('details.label')} {...form.field('details')} rows={4} maxLength={2000} hint={t('details.hint')} />
        <TextField label={t('email.label')} {...form.field('email')} type="email" autoComplete="email" hint={t('email.hint')} />
        {form.failure && <FailureMessage>{form.failure}</FailureMessage>}
        <Button type="submit" look="primary" busy={form.pending} className="w-full sm:w-auto">
          {form.pending ? t('sending') : t('send')}
        </Button>
      </Form>
    </>
  )
}
