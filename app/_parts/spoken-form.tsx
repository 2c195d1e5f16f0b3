'use client'

import { useEffect } from 'react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { cx } from '@/app/_ui/base/cx'
import { FailureMessage } from '@/app/_ui/base/failure'
import { addressInput, TextField } from '@/app/_ui/base/field'
import { Form } from '@/app/_ui/base/form'
import { RadioSegments } from '@/app/_ui/base/radio-segments'
import { createSpoken } from '@/app/_ui/data/api'
import { useFormat } from '@/app/_ui/data/format'
import { useForm } from '@/app/_ui/data/use-form'
import { write } from '@/app/_ui/data/words'
import { spokenFailure } from '@/lib/forms/failure'
import { readSpoken } from '@/lib/forms/read'
import type { SentForm } from '@/lib/forms/sent'
import type { SpokenView } from '@/lib/links/schemas'

const DIGITS = [4, 5, 6] as const

/** In seconds. */
const LIFETIMES = [600, 3_600, 86_400, 604_800] as const

interface Props {
  /** What was typed already. */
  url: string
  sent: SentForm | null
  /** It stands in a dialog, which has its title and its frame, and which only scripts show. */
  inDialog?: boolean
  onCreated: (code: SpokenView) => void
  onCancel: () => void
}

/** Asks for a number that can be read aloud and leads to a URL for a while. */
export function SpokenForm({ url, sent, inDialog = false, onCreated, onCancel }: Props) {
  const t = useTranslations('spoken')
  const format = useFormat()
  const form = useForm(async (data) => {
    const read = readSpoken(data, write)
    if (!read.ok) return read.failure
    const result = await createSpoken(read.value)
    if (!result.ok) return spokenFailure(result.failure, write)
    onCreated(result.value)
    return null
  }, sent)
  const { ref, typed, pending, failure } = form
  const digits = DIGITS.map((value) => ({ value, label: format.number(value), long: t('digits.option', { count: value }) }))
  const lifetimes = LIFETIMES.map((value) => ({ value, label: format.span(value), long: format.span(value, 'long') }))
  useEffect(() => ref.current?.querySelector<HTMLElement>('input[type=text]')?.focus(), [ref])
  return (
    <Form
      name={inDialog ? null : 'spoken'}
      ref={ref}
      onSubmit={form.onSubmit}
      aria-label={t('title')}
      className={cx('appear space-y-5', !inDialog && 'rounded-card border border-line bg-surface p-4 sm:p-6')}
    >
      {!inDialog && (
        <div>
          <h2 className="text-lg font-semibold">{t('title')}</h2>
          <p className="mt-1 text-sm text-muted">{t('text')}</p>
        </div>
      )}
      <TextField label={t('url.label')} {...form.field('url', url)} {...addressInput} placeholder={t('url.placeholder')} />
      <div className="grid gap-5 sm:grid-cols-[2fr_3fr]">
        <div>
          <p aria-hidden="true" className="mb-1.5 text-sm font-medium">
            {t('digits.label')}
          </p>
          <RadioSegments label={t('digits.label')} name="digits" value={typed.digits ?? 4} options={digits} />
        </div>
        <div>
          <p aria-hidden="true" className="mb-1.5 text-sm font-medium">
            {t('lifetime')}
          </p>
          <RadioSegments label={t('lifetime')} name="ttl" value={typed.ttl ?? 3_600} options={lifetimes} />
        </div>
      </div>
      {failure && <FailureMessage>{failure}</FailureMessage>}
      {/* In the order in which Enter looks for a button to press. */}
      <div className="flex flex-col gap-3 sm:flex-row sm:justify-end">
        <Button type="submit" look="primary" busy={pending}>
          {pending ? t('getting') : t('get')}
        </Button>
        <Button
          type="submit"
          name="form"
          value="show-shorten"
          className="order-last sm:order-first"
          onClick={(event) => {
            event.preventDefault()
            onCancel()
          }}
        >
          {t('linkInstead')}
        </Button>
      </div>
    </Form>
  )
}
