'use client'

import { type FocusEvent, type FormEvent, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { toast } from 'sonner'
import { Button } from '@/app/_ui/base/button'
import { FailureMessage } from '@/app/_ui/base/failure'
import { TextField } from '@/app/_ui/base/field'
import { Form } from '@/app/_ui/base/form'
import { updateLink } from '@/app/_ui/data/api'
import { copyText } from '@/app/_ui/data/browser'
import { readableUrl } from '@/app/_ui/data/readable-url'
import { toLocalInput } from '@/app/_ui/data/time'
import { focusFirstInvalid } from '@/app/_ui/data/use-form'
import { completeAddress, type FieldErrors, fieldErrors } from '@/lib/forms/fields'
import { type LinkView, UpdateLink } from '@/lib/links/schemas'
import { isFixed } from '@/lib/links/shared'
import { EnabledField, ListedField, RedirectStatusField } from './edit-fields'
import { EditPassword } from './edit-password'
import { changesOf } from './link-changes'

interface Props {
  view: LinkView
  /** The link's manage token; null where the session of its owner opens it. */
  token: string | null
  onSaved: (view: LinkView) => void
  onClose: () => void
}

const FIELDS = new Set([
  'url',
  'title',
  'startsAt',
  'expiresAt',
  'expiredUrl',
  'password',
  'maxClicks',
  'redirectStatus',
  'enabled',
  'listed',
])

export function EditForm({ view, token, onSaved, onClose }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const [errors, setErrors] = useState<FieldErrors>({})
  const [failure, setFailure] = useState<string | null>(null)
  const [pending, setPending] = useState(false)
  useEffect(() => form.current?.querySelector<HTMLElement>('input:enabled:not([readonly])')?.focus({ preventScroll: true }), [])

  const show = (found: FieldErrors) => {
    // On the page at once, so that the cursor can go to the first of them.
    flushSync(() => setErrors(found))
    focusFirstInvalid(form.current)
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!form.current || pending) return
    setFailure(null)
    const changes = changesOf(new FormData(form.current), view, token === null)
    if (Object.keys(changes).length === 0) return onClose()
    const parsed = UpdateLink.safeParse(changes)
    if (!parsed.success) return show(fieldErrors(parsed.error))

    setPending(true)
    const result = await updateLink({ code: view.code, domain: view.domain, manageToken: token }, changes)
    setPending(false)
    if (result.ok) {
      toast(`Saved ${readableUrl(view.shortUrl)}`)
      return onSaved(result.value)
    }
    const { message, fields } = result.failure
    if (!Object.keys(fields).some((name) => FIELDS.has(name))) setFailure(message)
    show(fields)
  }
  const clear = (name: string) => setErrors((before) => (before[name] ? { ...before, [name]: undefined } : before))
  /** What is the same for both addresses. */
  const address = {
    type: 'text',
    inputMode: 'url',
    autoCapitalize: 'none',
    autoComplete: 'off',
    spellCheck: false,
    onBlur: ({ currentTarget }: FocusEvent<HTMLInputElement>) => {
      currentTarget.value = completeAddress(currentTarget.value)
    },
  } as const

  return (
    <Form name={null} ref={form} onSubmit={submit} aria-label="Edit link" className="space-y-5">
      {view.shared && <p className="text-sm text-muted">Others were given this short link too, so only its title can change.</p>}
      <TextField
        label="Destination"
        name="url"
        {...address}
        readOnly={isFixed(view, 'url')}
        defaultValue={view.url}
        error={errors.url}
        onChange={() => clear('url')}
      />
      <TextField
        label="Title"
        name="title"
        autoComplete="off"
        defaultValue={view.title}
        error={errors.title}
        hint={
          token === null
            ? 'For your list, the preview of the link and your public page.'
            : 'For your list and the preview of the link.'
        }
        onChange={() => clear('title')}
      />
      <fieldset disabled={view.shared} className="min-w-0 space-y-5">
        <legend className="sr-only">Where and when it leads</legend>
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField
            label="Starts"
            name="startsAt"
            type="datetime-local"
            defaultValue={toLocalInput(view.startsAt)}
            error={errors.startsAt}
            hint="Empty: at once."
            onChange={() => clear('startsAt')}
          />
          <TextField
            label="Expires"
            name="expiresAt"
            type="datetime-local"
            defaultValue={toLocalInput(view.expiresAt)}
            error={errors.expiresAt}
            hint="Empty: never."
            onChange={() => clear('expiresAt')}
          />
          <TextField
            label="Click limit"
            name="maxClicks"
            type="number"
            inputMode="numeric"
            min={1}
            step={1}
            defaultValue={view.maxClicks ?? ''}
            error={errors.maxClicks}
            hint="Empty: no limit."
            onChange={() => clear('maxClicks')}
          />
          <RedirectStatusField status={view.redirectStatus} error={errors.redirectStatus} />
        </div>
        <TextField
          label="After it expired"
          name="expiredUrl"
          {...address}
          placeholder="https://"
          defaultValue={view.expiredUrl ?? ''}
          error={errors.expiredUrl}
          hint="Where visitors go then. Empty: a page that says so."
          onChange={() => clear('expiredUrl')}
        />
        <EditPassword hasPassword={view.hasPassword} error={errors.password} onEdit={() => clear('password')} />
        <EnabledField enabled={view.state !== 'disabled'} />
        {token === null && <ListedField listed={view.listed} />}
      </fieldset>
      {failure && <FailureMessage>{failure}</FailureMessage>}
      <div className="sticky -bottom-5 -mx-5 -mb-5 flex flex-wrap items-center justify-between gap-x-3 gap-y-1 border-t border-line bg-raised px-5 py-3 sm:-mx-6 sm:-bottom-6 sm:-mb-6 sm:px-6 sm:py-4">
        {token !== null && <CopyToken token={token} />}
        <div className="ml-auto flex gap-3">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" busy={pending}>
            {pending ? 'Saving…' : 'Save'}
          </Button>
        </div>
      </div>
    </Form>
  )
}

function CopyToken({ token }: { token: string }) {
  const copy = async () => {
    const copied = await copyText(token)
    toast(copied ? 'Manage token copied' : 'The browser did not let this page copy.', {
      ...(copied && { description: 'Anyone who has it can change and delete this link through the API.' }),
    })
  }
  return (
    <Button look="quiet" size="small" className="-ml-3" onClick={copy}>
      Copy manage token
    </Button>
  )
}
