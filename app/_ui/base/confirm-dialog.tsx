'use client'

import { type ReactNode, useId } from 'react'
import { useForm } from '@/app/_ui/data/use-form'
import { invalid } from '@/lib/forms/failure'
import { textOf } from '@/lib/forms/fields'
import { Dialog } from './dialog'
import { TextAreaField } from './field'
import { Form } from './form'
import { FormActions } from './form-actions'

interface Props {
  title: string
  children: ReactNode
  /** What the button says: what will be done. */
  action: string
  /** It takes something away. */
  danger?: boolean
  /** Asks for a text as well. */
  reason?: { label: string; hint: string }
  /** @returns what went wrong, or null: then the dialog closes */
  onConfirm: (reason: string) => Promise<string | null>
  onClose: () => void
}

/** Asks before something is done that cannot simply be taken back. */
export function ConfirmDialog({ title, children, action, danger = false, reason, onConfirm, onClose }: Props) {
  const id = useId()
  const form = useForm(async (data) => {
    const wrong = await onConfirm(textOf(data, 'reason').trim())
    if (wrong !== null) return invalid({}, wrong)
    onClose()
    return null
  })
  return (
    <Dialog title={title} onClose={onClose}>
      <Form name={null} ref={form.ref} onSubmit={form.onSubmit} aria-describedby={id} className="space-y-6">
        <div id={id} className="space-y-3 text-[15px] text-muted text-anywhere">
          {children}
        </div>
        {reason && <TextAreaField {...reason} name="reason" maxLength={255} className="-mt-2" />}
        <FormActions form={form} action={action} danger={danger} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}
