'use client'

import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Dialog } from '@/app/_ui/base/dialog'
import { TextField } from '@/app/_ui/base/field'
import { Form } from '@/app/_ui/base/form'
import { FormActions } from '@/app/_ui/base/form-actions'
import { ShownOnce } from '@/app/_ui/base/secret'
import { createInvitation } from '@/app/_ui/data/admin'
import { useFormat } from '@/app/_ui/data/format'
import { useForm } from '@/app/_ui/data/use-form'
import { withReason } from '@/app/admin/_parts/reason-of'
import type { InvitationView } from '@/lib/accounts/schemas'
import { textOf } from '@/lib/forms/fields'

interface Props {
  onCreated: () => void
  onClose: () => void
}

/** Creates an invitation, whose link is shown once. */
export function InviteDialog({ onCreated, onClose }: Props) {
  const t = useTranslations('admin.accounts.invitation')
  const format = useFormat()
  const [made, setMade] = useState<InvitationView | null>(null)
  if (made?.url === undefined) {
    return (
      <Dialog title={t('title')} description={t('text')} onClose={onClose}>
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
  const time = format.time(made.expiresAt)
  return (
    <Dialog
      title={t('created.title')}
      description={made.email ? t('created.someone', { email: made.email, time }) : t('created.anyone', { time })}
      onClose={null}
    >
      <ShownOnce text={made.url} name={t('created.name')} onClose={onClose} />
    </Dialog>
  )
}

function InviteForm({ onCreated, onCancel }: { onCreated: (invitation: InvitationView) => void; onCancel: () => void }) {
  const t = useTranslations('admin.accounts.invitation')
  const form = useForm(async (data) => {
    const body = { email: textOf(data, 'email').trim(), days: Number(textOf(data, 'days')) }
    const result = await createInvitation(body)
    if (!result.ok) return withReason(result.failure)
    onCreated(result.value)
    return null
  })
  return (
    <Form name={null} ref={form.ref} onSubmit={form.onSubmit} aria-label={t('title')} className="space-y-5">
      <TextField label={t('email')} {...form.field('email')} type="email" autoComplete="off" hint={t('emailHint')} />
      <TextField label={t('days')} {...form.field('days')} type="number" inputMode="numeric" min={1} max={90} defaultValue={7} />
      <FormActions form={form} action={t('submit')} onCancel={onCancel} />
    </Form>
  )
}
