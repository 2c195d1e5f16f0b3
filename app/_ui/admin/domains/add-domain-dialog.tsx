import { type FormEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { toast } from 'sonner'
import { Button } from '@/app/_ui/base/button'
import { Dialog } from '@/app/_ui/base/dialog'
import { TextField } from '@/app/_ui/base/field'
import { createDomain } from '@/app/_ui/data/admin'
import { focusFirstInvalid, textOf } from '@/app/_ui/data/form'
import { unicodeHost } from '@/app/_ui/data/idn'
import { reasonOf } from '../base/act'

interface Props {
  onAdded: () => void
  onClose: () => void
}

/** Adds a host, which is then to be proved. */
export function AddDomainDialog({ onAdded, onClose }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // Events of React find their way out of a dialog.
    event.stopPropagation()
    if (busy) return
    const host = textOf(new FormData(event.currentTarget), 'host').trim()
    setBusy(true)
    const result = host === '' ? null : await createDomain(host)
    setBusy(false)
    if (result?.ok) {
      toast(`${unicodeHost(result.value.host)} is added`, { description: 'Prove that it is yours, and it is served.' })
      onAdded()
      return onClose()
    }
    flushSync(() => setProblem(result ? (result.failure.fields.host ?? reasonOf(result.failure)) : 'Enter a host name.'))
    focusFirstInvalid(form.current)
  }
  return (
    <Dialog
      title="Add a domain"
      description="Links can be made on it once it points here and you have proved that it is yours."
      onClose={onClose}
    >
      <form ref={form} onSubmit={submit} noValidate aria-label="Add a domain">
        <TextField
          label="Host"
          name="host"
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="go.example.com"
          error={problem ?? undefined}
          hint="Without https:// and without a path."
          onChange={() => setProblem(null)}
        />
        <div className="mt-6 flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={busy}>
            Add
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
