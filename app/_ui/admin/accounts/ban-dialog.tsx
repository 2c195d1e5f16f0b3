import { type FormEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '@/app/_ui/base/button'
import { Dialog } from '@/app/_ui/base/dialog'
import { Field, TextField, textAreaClass } from '@/app/_ui/base/field'
import { Notice } from '@/app/_ui/base/notice'
import { banAccount } from '@/app/_ui/data/admin'
import { focusFirstInvalid, textOf } from '@/app/_ui/data/form'
import { fromLocalInput, localInput } from '@/app/_ui/data/time'
import { confirmed } from '../base/act'
import type { AccountDialogProps } from './account-actions'

/** Shuts an account out, with a reason, for good or until a time. */
export function BanDialog({ account, name, onDone, onClose }: AccountDialogProps) {
  const form = useRef<HTMLFormElement>(null)
  const [busy, setBusy] = useState(false)
  const [wrongTime, setWrongTime] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // Events of React find their way out of a dialog.
    event.stopPropagation()
    if (busy) return
    const data = new FormData(event.currentTarget)
    const until = fromLocalInput(textOf(data, 'until'))
    if (until !== null && !(Date.parse(until) > Date.now())) {
      flushSync(() => setWrongTime(true))
      return focusFirstInvalid(form.current)
    }
    setBusy(true)
    setProblem(null)
    const wrong = onDone(await confirmed(banAccount(account.id, { reason: textOf(data, 'reason'), until }), `${name} is banned`))
    setBusy(false)
    if (wrong === null) onClose()
    else setProblem(wrong)
  }
  return (
    <Dialog
      title={`Ban ${name}?`}
      description="It is signed out everywhere at once, and its API keys are refused. Its links stay as they are."
      onClose={onClose}
    >
      <form ref={form} onSubmit={submit} noValidate className="space-y-5">
        <Field label="Reason (optional)" hint="Whoever tries to sign in with this account reads it.">
          {(control) => <textarea {...control} name="reason" rows={3} maxLength={255} className={textAreaClass} />}
        </Field>
        <TextField
          label="Until (optional)"
          name="until"
          type="datetime-local"
          min={localInput(new Date())}
          error={wrongTime ? 'Choose a time that is still to come.' : undefined}
          hint="Empty: until an admin lifts it."
          onChange={() => setWrongTime(false)}
        />
        {problem && <Notice>{problem}</Notice>}
        <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="danger" disabled={busy}>
            Ban
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
