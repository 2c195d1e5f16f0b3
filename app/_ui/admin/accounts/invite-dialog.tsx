'use client'

import { type FormEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '@/app/_ui/base/button'
import { Dialog } from '@/app/_ui/base/dialog'
import { TextField } from '@/app/_ui/base/field'
import { Notice } from '@/app/_ui/base/notice'
import { createInvitation } from '@/app/_ui/data/admin'
import { fieldErrors, focusFirstInvalid, textOf } from '@/app/_ui/data/form'
import type { FieldErrors } from '@/app/_ui/data/http'
import { formatTime } from '@/app/_ui/data/time'
import { CreateInvitation, type InvitationView } from '@/lib/admin/schemas'
import { reasonOf } from '../base/act'
import { Secret } from '../base/secret'

interface Props {
  onCreated: () => void
  onClose: () => void
}

/** Makes an invitation, whose link is shown once. */
export function InviteDialog({ onCreated, onClose }: Props) {
  const [made, setMade] = useState<InvitationView | null>(null)
  if (made?.url === undefined) {
    return (
      <Dialog title="Invite someone" description="They may make an account even where sign-up is not open." onClose={onClose}>
        <InviteForm
          onCancel={onClose}
          onCreated={(invitation) => {
            setMade(invitation)
            onCreated()
          }}
        />
      </Dialog>
    )
  }
  return (
    <Dialog
      title="Invitation"
      description={`Hand this link to whom you invite${made.email ? ` (${made.email})` : ''}. It works once, until ${formatTime(made.expiresAt)}, and is not shown again.`}
      onClose={onClose}
    >
      <Secret text={made.url} name="the invitation" />
      <div className="mt-6 flex justify-end">
        <Button onClick={onClose}>Done</Button>
      </div>
    </Dialog>
  )
}

function InviteForm({ onCreated, onCancel }: { onCreated: (invitation: InvitationView) => void; onCancel: () => void }) {
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
    const body = { email: textOf(data, 'email').trim(), days: Number(textOf(data, 'days')) }
    const parsed = CreateInvitation.safeParse(body)
    if (!parsed.success) return show(fieldErrors(parsed.error))
    setBusy(true)
    const result = await createInvitation(body)
    setBusy(false)
    if (result.ok) return onCreated(result.value)
    const { fields } = result.failure
    if (!fields.email && !fields.days) setProblem(reasonOf(result.failure))
    show(fields)
  }
  return (
    <form ref={form} onSubmit={submit} noValidate aria-label="Invite someone" className="space-y-5">
      <TextField
        label="E-mail address (optional)"
        name="email"
        type="email"
        autoComplete="off"
        error={errors.email}
        hint="Then only an account with this address can use it."
        onChange={() => setErrors({})}
      />
      <TextField
        label="Days it is open"
        name="days"
        type="number"
        inputMode="numeric"
        min={1}
        max={90}
        defaultValue={7}
        error={errors.days}
        onChange={() => setErrors({})}
      />
      {problem && <Notice>{problem}</Notice>}
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" look="primary" disabled={busy}>
          Make the invitation
        </Button>
      </div>
    </form>
  )
}
