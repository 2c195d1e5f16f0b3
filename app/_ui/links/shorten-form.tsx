'use client'

import { ChevronRight } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslations } from '#i18n'
import { buttonClass } from '@/app/_ui/base/button'
import { FailureMessage } from '@/app/_ui/base/failure'
import { Field } from '@/app/_ui/base/field'
import { Form } from '@/app/_ui/base/form'
import { createLink } from '@/app/_ui/data/api'
import { randomId } from '@/app/_ui/data/browser'
import { fromLocalInput } from '@/app/_ui/data/time'
import { useForm } from '@/app/_ui/data/use-form'
import { write } from '@/app/_ui/data/words'
import { completeAddress } from '@/lib/forms/fields'
import { readLink } from '@/lib/forms/read'
import type { SentForm } from '@/lib/forms/sent'
import type { LinkView } from '@/lib/links/schemas'
import { ShortenOptions } from './shorten-options'

interface Props {
  /** Host of the short URLs, as shown before a custom code. */
  host: string
  /** What was typed before. */
  url?: string
  /** Whether to take the cursor at once; on a phone that would bring the keyboard up over the page. */
  focus: 'always' | 'with a mouse' | 'never'
  /** A name of its own for what this page may send before its scripts have come; null where only scripts show the form. */
  attempt?: string | null
  sent?: SentForm | null
  onCreated: (link: LinkView) => void
  /** A number to be read aloud is wanted instead, for what was typed. */
  onSpeak?: (url: string) => void
}

const OPTIONS = ['code', 'expiresAt', 'password']

export function ShortenForm({ host, url = '', focus, attempt = null, sent = null, onCreated, onSpeak }: Props) {
  const t = useTranslations('links.shorten')
  const input = useRef<HTMLInputElement>(null)
  const last = useRef<{ body: string; id: string } | null>(null)
  const [open, setOpen] = useState(OPTIONS.some((name) => sent?.values[name]))
  const complete = (element: HTMLInputElement) => {
    element.value = completeAddress(element.value)
  }
  const form = useForm(async (data) => {
    if (input.current) complete(input.current)
    const read = readLink(data, fromLocalInput, write)
    if (!read.ok) return read.failure
    // The same link asked for again, as after a lost answer, is the same attempt.
    const text = JSON.stringify(read.value)
    if (last.current?.body !== text) last.current = { body: text, id: randomId() }
    const result = await createLink(read.value, last.current.id)
    if (!result.ok) {
      const { kind } = result.failure
      if (kind !== 'network' && kind !== 'unavailable') last.current = null
      return result.failure
    }
    onCreated(result.value)
    return null
  }, sent)
  const { errors, pending, failure } = form
  const { error, ...field } = form.field('url', url)
  const wrongOption = OPTIONS.some((name) => errors[name])
  // It stays open once what is wrong there was put right.
  useEffect(() => {
    if (wrongOption) setOpen(true)
  }, [wrongOption])
  useEffect(() => {
    if (focus === 'always' || (focus === 'with a mouse' && matchMedia('(pointer: fine)').matches)) input.current?.focus()
  }, [focus])

  return (
    <Form
      name={attempt === null ? null : 'shorten'}
      ref={form.ref}
      onSubmit={form.onSubmit}
      aria-label={t('form')}
      className="space-y-4"
    >
      {attempt !== null && <input type="hidden" name="attempt" value={attempt} />}
      <div className="relative flex flex-col gap-3">
        <Field label={t('url')} labelHidden error={error}>
          {(control) => (
            <input
              {...control}
              {...field}
              ref={input}
              type="text"
              inputMode="url"
              enterKeyHint="go"
              autoComplete="off"
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
              placeholder={t('placeholder')}
              onBlur={(event) => complete(event.currentTarget)}
              className={
                'h-14 w-full rounded-card border border-line-strong bg-surface px-4 text-lg shadow-xs sm:h-16 sm:pr-36 sm:pl-5 ' +
                'aria-invalid:border-danger aria-invalid:outline-danger'
              }
            />
          )}
        </Field>
        <button
          type="submit"
          disabled={pending}
          className={buttonClass('primary', 'w-full sm:absolute sm:top-2 sm:right-2 sm:w-30', 'large')}
        >
          {t(pending ? 'submitting' : 'submit')}
        </button>
      </div>
      {failure && <FailureMessage>{failure}</FailureMessage>}
      <details open={open || wrongOption} onToggle={(event) => setOpen(event.currentTarget.open)} className="group">
        <summary className="-ml-2 inline-flex list-none items-center gap-1 rounded-control py-2 pr-3 pl-2 text-[15px] font-medium text-muted hover:text-fg [&::-webkit-details-marker]:hidden">
          <ChevronRight aria-hidden="true" className="size-4 transition-transform group-open:rotate-90" />
          {t('options')}
        </summary>
        <ShortenOptions host={host} field={form.field} />
      </details>
      {onSpeak && (
        <p className="text-sm text-muted">
          {t.rich('spoken', {
            button: (words) => (
              <button
                type="submit"
                name="form"
                value="show-spoken"
                onClick={(event) => {
                  event.preventDefault()
                  onSpeak(input.current?.value ?? '')
                }}
                className="min-h-11 rounded-control font-medium text-accent underline-offset-4 hover:underline sm:min-h-8"
              >
                {words}
              </button>
            ),
          })}
        </p>
      )}
    </Form>
  )
}
