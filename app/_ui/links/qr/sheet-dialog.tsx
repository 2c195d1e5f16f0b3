'use client'

import { useTranslations } from '#i18n'
import { Dialog } from '@/app/_ui/base/dialog'
import { Field, inputClass, TextField } from '@/app/_ui/base/field'
import { Form } from '@/app/_ui/base/form'
import { FormActions } from '@/app/_ui/base/form-actions'
import { SwitchField } from '@/app/_ui/base/switch-field'
import { downloadFile } from '@/app/_ui/data/browser'
import { fetchFile, styleBody } from '@/app/_ui/data/qr'
import { useForm } from '@/app/_ui/data/use-form'
import { textOf } from '@/lib/forms/fields'
import { CAPTIONS, PAPER_NAMES, SHEET } from '@/lib/qr/values'
import { StyleFields, Warnings } from './style-fields'
import { useStyle } from './use-picture'

interface Props {
  /** Which links. */
  of: { ids: readonly string[] } | { matching: Record<string, unknown> } | { series: string }
  title: string
  /** A line under the title. */
  description: string
  onClose: () => void
}

/** Codes in rows and columns, as a PDF to print. */
export function SheetDialog({ of, title, description, onClose }: Props) {
  const t = useTranslations('links.qr.sheet')
  const control = useStyle(true)
  const form = useForm(async (data) => {
    const whole = (name: string) => Number(textOf(data, name).trim())
    const body = {
      ...of,
      ...('series' in of && { count: whole('count') }),
      ...{ paper: textOf(data, 'paper'), caption: textOf(data, 'caption'), cutMarks: textOf(data, 'cutMarks') === 'on' },
      ...{ columns: whole('columns'), rows: whole('rows') },
      ...styleBody(control.style),
    }
    const result = await fetchFile('POST', '/api/v1/qr-sheet', { body })
    if (!result.ok) return result.failure
    downloadFile(`qr-${'series' in of ? of.series : 'codes'}.pdf`, result.value)
    onClose()
    return null
  })
  const { error: _paper, ...paper } = form.field('paper', 'a4')
  const { error: _caption, ...caption } = form.field('caption', 'url')
  const count = { inputMode: 'numeric', autoComplete: 'off' } as const
  return (
    <Dialog title={title} description={description} onClose={onClose}>
      <Form name={null} ref={form.ref} onSubmit={form.onSubmit} aria-label={title} className="space-y-5">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 min-[400px]:grid-cols-2">
          {'series' in of && (
            <div className="min-[400px]:col-span-2">
              <TextField
                label={t('count')}
                {...form.field('count', SHEET.codes)}
                {...count}
                hint={t('countHint', { most: SHEET.codes })}
              />
            </div>
          )}
          <TextField label={t('columns')} {...form.field('columns', 5)} {...count} />
          <TextField label={t('rows')} {...form.field('rows', 7)} {...count} />
          <Field label={t('paper')}>
            {(field) => (
              <select {...field} {...paper} className={inputClass}>
                {PAPER_NAMES.map((name) => (
                  <option key={name} value={name}>
                    {t(`papers.${name}`)}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field label={t('caption')}>
            {(field) => (
              <select {...field} {...caption} className={inputClass}>
                {CAPTIONS.map((name) => (
                  <option key={name} value={name}>
                    {t(`captions.${name}`)}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </div>
        <SwitchField label={t('cutMarks')} hint={t('cutMarksHint')} name="cutMarks" on={false} />
        <div>
          <StyleFields control={control} owned />
          <Warnings control={control} />
        </div>
        <FormActions form={form} action={t(form.pending ? 'making' : 'submit')} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}
