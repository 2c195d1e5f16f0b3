'use client'

import { ChevronRight } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslations } from '#i18n'
import { Button, buttonClass } from '@/app/_ui/base/button'
import { cx } from '@/app/_ui/base/cx'
import { FailureMessage } from '@/app/_ui/base/failure'
import { Field } from '@/app/_ui/base/field'
import { Form } from '@/app/_ui/base/form'
import { StickyActions } from '@/app/_ui/base/sticky-actions'
import { createLink } from '@/app/_ui/data/api'
import { attemptKey } from '@/app/_ui/data/browser'
import { dropDraft, useDraft } from '@/app/_ui/data/drafts'
import { fromLocalInput } from '@/app/_ui/data/time'
import { useForm } from '@/app/_ui/data/use-form'
import { useTyped } from '@/app/_ui/data/use-typed'
import { write } from '@/app/_ui/data/words'
import type { ShortHost } from '@/lib/domains/short-host'
import { completeAddress } from '@/lib/forms/fields'
import { type LinkField, NEW_LINK, readNewLink } from '@/lib/forms/link'
import type { SentForm } from '@/lib/forms/sent'
import type { LinkView } from '@/lib/links/schemas'
import { DraftNotice } from './draft-notice'
import { LinkChips } from './link-chips'
import { LinkFields } from './link-fields'
import { addressIn, NewAddress } from './new-address'

interface Props {
  /** The domains to choose from. */
  hosts: readonly ShortHost[]
  /** What was typed before. */
  url?: string
  /** Whether to take the cursor at once; on a phone that would bring the keyboard up over the page. */
  focus: 'always' | 'with a mouse' | 'never'
  /** The link will belong to an account. */
  owned: boolean
  /** A name of its own for what this page may send before its scripts have come; null where only scripts show the form. */
  attempt?: string | null
  sent?: SentForm | null
  /** Shows the short link as it is typed, beside its back-half; null: there is nothing to show yet. */
  beside?: (url: string | null) => ReactNode
  /** What is typed is kept under this name when the form is left. */
  draft?: string | null
  /** Keeps what could not be sent for when there is a network. @returns all that is kept, or null if this is not */
  keep?: (attempt: string, url: string) => readonly string[] | null
  onCreated: (link: LinkView) => void
  /** A number to be read aloud is wanted instead, for what was typed. */
  onSpeak?: (url: string) => void
}

/** Whether a field, or what it is a part of, is one of them. */
const isOption = (path: string) => OPTIONS.includes(path.split('.')[0] as never)

const OPTIONS = (Object.keys(NEW_LINK) as LinkField[]).filter((name) => name !== 'url')

export function ShortenForm({
  hosts,
  url = '',
  focus,
  owned,
  attempt = null,
  sent = null,
  beside,
  draft = null,
  keep,
  onCreated,
  onSpeak,
}: Props) {
  const t = useTranslations('links.shorten')
  const input = useRef<HTMLInputElement>(null)
  const last = useRef<{ body: string; id: string } | null>(null)
  /** What waits for a network. */
  const [waiting, setWaiting] = useState<readonly string[]>([])
  const [open, setOpen] = useState(OPTIONS.some((name) => sent?.errors[name] || isSet(sent?.values, name)))
  const complete = (element: HTMLInputElement) => {
    element.value = completeAddress(element.value)
  }
  const form = useForm(async (data) => {
    if (input.current) complete(input.current)
    const read = readNewLink(data, fromLocalInput, write)
    if (!read.ok) return read.failure
    // The same link asked for again, as after a lost answer, is the same attempt.
    const text = JSON.stringify(read.value)
    if (last.current?.body !== text) last.current = { body: text, id: attemptKey() }
    const result = await createLink(read.value, last.current.id)
    if (!result.ok) {
      const { kind } = result.failure
      if (kind !== 'network' && kind !== 'unavailable') last.current = null
      // Only the address: what else was set may be a secret, and stays in the form.
      const isPlain = Object.keys(read.value).length === 1
      const kept = kind === 'network' && isPlain && last.current ? keep?.(last.current.id, read.value.url) : null
      if (!kept) return result.failure
      last.current = null
      setWaiting(kept)
      if (input.current) input.current.value = ''
      input.current?.dispatchEvent(new Event('input', { bubbles: true }))
      return null
    }
    if (draft !== null) dropDraft(draft)
    onCreated(result.value)
    return null
  }, sent)
  const { errors, pending, failure } = form
  const { error, ...field } = form.field('url', url)
  const typed = useTyped(form.ref)
  const { restored, discard } = useDraft(form.ref, draft)
  const draftWords = useTranslations('links.draft')
  const startOver = () => {
    discard()
    input.current?.focus()
  }
  const wrongOption = Object.keys(errors).some((path) => errors[path] && isOption(path))
  const isOpen = open || wrongOption
  const inDialog = attempt === null
  // Its button would be out of sight where the options end.
  const isLong = inDialog && isOpen
  // It stays open once what is wrong there was put right.
  useEffect(() => {
    if (wrongOption) setOpen(true)
  }, [wrongOption])
  useEffect(() => {
    if (focus === 'always' || (focus === 'with a mouse' && matchMedia('(pointer: fine)').matches)) input.current?.focus()
  }, [focus])

  const address = <NewAddress hosts={hosts} field={form.field} typed={typed} />
  return (
    <Form name={inDialog ? null : 'shorten'} ref={form.ref} onSubmit={form.onSubmit} aria-label={t('form')} className="space-y-4">
      {!inDialog && <input type="hidden" name="attempt" value={attempt} />}
      {restored && (
        <DraftNotice>
          <Button look="quiet" size="small" onClick={startOver}>
            {draftWords('discard')}
          </Button>
        </DraftNotice>
      )}
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
              className={cx(
                'h-14 w-full rounded-card border border-line-strong bg-surface px-4 text-lg shadow-xs sm:h-16 sm:px-5',
                'aria-invalid:border-danger aria-invalid:outline-danger',
                !isLong && 'sm:pr-36',
              )}
            />
          )}
        </Field>
        {!isLong && <Submit pending={pending} className="w-full sm:absolute sm:top-2 sm:right-2 sm:w-30" />}
      </div>
      {failure && <FailureMessage>{failure}</FailureMessage>}
      <Waiting urls={waiting} />
      {!isOpen && <LinkChips formRef={form.ref} typed={typed} view={null} />}
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)} className="group">
        <summary className="-ml-2 inline-flex list-none items-center gap-1 rounded-control py-2 pr-3 pl-2 text-[15px] font-medium text-muted hover:text-fg [&::-webkit-details-marker]:hidden">
          <ChevronRight aria-hidden="true" className="size-4 transition-transform group-open:rotate-90" />
          {t('options')}
        </summary>
        <div className="mt-2 rounded-card border border-line bg-surface p-4 sm:p-5">
          <LinkFields form={form} typed={typed} texts={NEW_LINK} owned={owned} view={null}>
            {beside ? (
              <div className="flex flex-wrap gap-5 sm:flex-nowrap">
                <div className="grid w-full min-w-0 grid-cols-[minmax(0,1fr)] gap-5">{address}</div>
                {beside(addressIn(typed, hosts))}
              </div>
            ) : (
              address
            )}
          </LinkFields>
        </div>
      </details>
      {onSpeak && (
        <p className="text-sm text-muted">
          {t.rich('spoken', {
            button: (words) => (
              <button
                // With scripts, Enter is for the button that shortens, which may come after it.
                type={inDialog ? 'button' : 'submit'}
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
      {/* At the very end: it lies over whatever comes after it. */}
      {isLong && (
        <StickyActions>
          <Submit pending={pending} className="w-full sm:ml-auto sm:w-30" />
        </StickyActions>
      )}
    </Form>
  )
}

function Waiting({ urls }: { urls: readonly string[] }) {
  const t = useTranslations('links.shorten')
  return (
    <div role="status" className="rounded-control bg-accent-soft px-3.5 py-3 text-sm empty:hidden">
      {urls.length > 0 && (
        <>
          <p className="font-medium">{t('kept')}</p>
          <ul className="mt-1">
            {urls.map((url) => (
              <li key={url} className="truncate text-muted">
                <bdi>{url}</bdi>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

function Submit({ pending, className }: { pending: boolean; className: string }) {
  const t = useTranslations('links.shorten')
  return (
    <button type="submit" disabled={pending} className={buttonClass('primary', className, 'large')}>
      {t(pending ? 'submitting' : 'submit')}
    </button>
  )
}

const isSet = (values: SentForm['values'] | undefined, name: LinkField) =>
  values?.[name] !== undefined && values[name] !== NEW_LINK[name]
