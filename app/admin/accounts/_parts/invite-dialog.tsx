'use client'

import { useState } from 'react'
import { Dialog } from '@/app/_ui/base/dialog'
import { TextField } from '@/app/_ui/base/field'
import { Form } from '@/app/_ui/base/form'
import { FormActions } from '@/app/_ui/base/form-actions'
import { ShownOnce } from '@/app/_ui/base/secret'
import { createInvitation } from '@/app/_ui/data/admin'
import { formatTime } from '@/app/_ui/data/time'
import { invalidBy, useForm } from '@/app/_ui/data/use-form'
import { withReason } from '@/app/admin/_parts/act'
import { CreateInvitation, type InvitationView } from '@/lib/accounts/schemas'
import { textOf } from '@/lib/forms/fields'

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
      description={`Give this link to the person you invite${made.email ? ` (${made.email})` : ''}. It works once, until ${formatTime(made.expiresAt)}, and is not shown again.`}
      onClose={null}
    >
      <ShownOnce text={made.url} name="the invitation" onClose={onClose} />
    </Dialog>
  )
}

function InviteForm({ onCreated, onCancel }: { onCreated: (invitation: InvitationView) => void; onCancel: () => void }) {
  const form = useForm(async (data) => {
    const body = { email: textOf(data, 'email').trim(), days: Number(textOf(data, 'days')) }
    const parsed = CreateInvitation.safeParse(body)
    if (!parsed.success) return invalidBy(parsed.error)
    const result = await createInvitation(body)
    if (!result.ok) return withReason(result.failure)
    onCreated(result.value)
    return null
  })
  return (
    <Form name={null} ref={form.ref} onSubmit={form.onSubmit} aria-label="Invite someone" className="space-y-5">
      <TextField
        label="E-mail address (optional)"
        {...form.field('email')}
        type="email"
        autoComplete="off"
        hint="Then only an account with this address can use it."
      />
      <TextField
        label="Days it is open"
        {...form.field('days')}
        type="number"
        inputMode="numeric"
        min={1}
        max={90}
        defaultValue={7}
      />
      <FormActions form={form} action="Make the invitation" onCancel={onCancel} />
    </Form>
  )
}
