'use client'

import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { Button } from './button'
import { Dialog } from './dialog'
import { FailureMessage } from './failure'
import { Field, textAreaClass } from './field'
import { Form } from './form'

interface Props {
  title: string
  children: ReactNode
  /** What the button says: what will be done. */
  action: string
  /** It takes something away. */
  danger?: boolean
  /** Asks for a text as well. */
  reason?: { label: string; hint?: string; required?: boolean; maxLength?: number }
  /** @returns what went wrong, or null: then the dialog closes */
  onConfirm: (reason: string) => Promise<string | null>
  onClose: () => void
}

/** Asks before something is done that cannot simply be taken back. */
export function ConfirmDialog({ title, children, action, danger = false, reason, onConfirm, onClose }: Props) {
  const id = useId()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [missing, setMissing] = useState(false)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // Events of React find their way out of a dialog, to the form around its button.
    event.stopPropagation()
    if (busy) return
    const given = new FormData(event.currentTarget).get('reason')
    const text = typeof given === 'string' ? given.trim() : ''
    if (reason?.required && text === '') return setMissing(true)
    setBusy(true)
    setFailure(null)
    const wrong = await onConfirm(text)
    setBusy(false)
    if (wrong === null) onClose()
    else setFailure(wrong)
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <Form name={null} onSubmit={submit} aria-describedby={id}>
        <div id={id} className="space-y-3 text-[15px] text-muted text-anywhere">
          {children}
        </div>
        {reason && (
          <Field label={reason.label} hint={reason.hint} error={missing ? 'Say why.' : undefined} className="mt-4">
            {(control) => (
              <textarea
                {...control}
                name="reason"
                rows={3}
                maxLength={reason.maxLength ?? 255}
                onChange={() => setMissing(false)}
                className={textAreaClass}
              />
            )}
          </Field>
        )}
        {failure && (
          <div className="mt-4">
            <FailureMessage>{failure}</FailureMessage>
          </div>
        )}
        <div className="mt-6 flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look={danger ? 'danger' : 'primary'} busy={busy}>
            {action}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
