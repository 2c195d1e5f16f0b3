import { type FormEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { toast } from 'sonner'
import { Button } from '@/app/_ui/base/button'
import { Dialog } from '@/app/_ui/base/dialog'
import { TextField } from '@/app/_ui/base/field'
import { Notice } from '@/app/_ui/base/notice'
import { updateDomain } from '@/app/_ui/data/admin'
import { completeAddress, fieldErrors, focusFirstInvalid, textOf } from '@/app/_ui/data/form'
import type { FieldErrors } from '@/app/_ui/data/http'
import { type DomainView, UpdateDomain } from '@/lib/admin/schemas'
import { reasonOf } from '../base/act'

interface Props {
  domain: DomainView
  name: string
  onSaved: () => void
  onClose: () => void
}

/** Where a domain leads when no link was asked for, or none that there is. */
export function RedirectsDialog({ domain, name, onSaved, onClose }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const [errors, setErrors] = useState<FieldErrors>({})
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const show = (found: FieldErrors) => {
    flushSync(() => setErrors(found))
    focusFirstInvalid(form.current)
  }
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // Events of React find their way out of a dialog.
    event.stopPropagation()
    if (busy) return
    setProblem(null)
    const data = new FormData(event.currentTarget)
    const notFoundUrl = addressOf(data, 'notFoundUrl')
    const body = domain.isBase ? { notFoundUrl } : { notFoundUrl, rootUrl: addressOf(data, 'rootUrl') }
    const parsed = UpdateDomain.safeParse(body)
    if (!parsed.success) return show(fieldErrors(parsed.error))
    setBusy(true)
    const result = await updateDomain(domain.id, body)
    setBusy(false)
    if (result.ok) {
      toast(`Saved ${name}`)
      onSaved()
      return onClose()
    }
    const { fields } = result.failure
    if (!fields.rootUrl && !fields.notFoundUrl) setProblem(reasonOf(result.failure))
    show(fields)
  }
  const field = {
    inputMode: 'url',
    autoComplete: 'off',
    autoCapitalize: 'none',
    spellCheck: false,
    placeholder: 'https://',
  } as const
  return (
    <Dialog title={`Redirects of ${name}`} onClose={onClose}>
      <form ref={form} onSubmit={submit} noValidate aria-label="Redirects" className="space-y-5">
        {/* The front page of this site is the form for new links. */}
        {!domain.isBase && (
          <TextField
            label="Its front page leads to"
            name="rootUrl"
            {...field}
            defaultValue={domain.rootUrl ?? ''}
            error={errors.rootUrl}
            hint="Empty: this site."
            onChange={() => setErrors({})}
          />
        )}
        <TextField
          label="Unknown codes lead to"
          name="notFoundUrl"
          {...field}
          defaultValue={domain.notFoundUrl ?? ''}
          error={errors.notFoundUrl}
          hint="Empty: a page that says that there is no such link."
          onChange={() => setErrors({})}
        />
        {problem && <Notice>{problem}</Notice>}
        <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={busy}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** An empty field asks for none. */
const addressOf = (data: FormData, name: string) => completeAddress(textOf(data, name)) || null
