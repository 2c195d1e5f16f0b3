import { type FormEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '@/app/_ui/base/button'
import { Dialog } from '@/app/_ui/base/dialog'
import { TextField } from '@/app/_ui/base/field'
import { Notice } from '@/app/_ui/base/notice'
import { removeAccount } from '@/app/_ui/data/admin'
import { focusFirstInvalid, textOf } from '@/app/_ui/data/form'
import { formatCount } from '@/app/_ui/data/time'
import { confirmed } from '../base/act'
import type { AccountDialogProps } from './account-actions'

type Props = Omit<AccountDialogProps, 'onDone'> & { onRemoved: () => void }

/** Deletes an account for good: its handle is asked for, so that it is not the neighbour's. */
export function RemoveDialog({ account, name, onRemoved, onClose }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const [busy, setBusy] = useState(false)
  const [wrongHandle, setWrongHandle] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // Events of React find their way out of a dialog.
    event.stopPropagation()
    if (busy) return
    const data = new FormData(event.currentTarget)
    if (textOf(data, 'handle').trim() !== account.handle) {
      flushSync(() => setWrongHandle(true))
      return focusFirstInvalid(form.current)
    }
    setBusy(true)
    setProblem(null)
    const links = textOf(data, 'links') === 'delete' ? 'delete' : 'keep'
    const wrong = await confirmed(removeAccount(account.id, links), `${name} is deleted`)
    setBusy(false)
    if (wrong === null) onRemoved()
    else setProblem(wrong)
  }
  return (
    <Dialog title={`Delete ${name}?`} description="The account, its API keys and its sessions go for good." onClose={onClose}>
      <form ref={form} onSubmit={submit} noValidate className="space-y-5">
        <fieldset>
          <legend className="mb-1.5 text-sm font-medium">Its {formatCount(account.links, 'link', 'links')}</legend>
          <div className="divide-y divide-line rounded-control border border-line-strong bg-surface">
            <Choice value="keep" title="Keep" hint="They lead on, and belong to nobody." checked />
            <Choice value="delete" title="Delete" hint="They stop working. Their codes are given away again later." />
          </div>
        </fieldset>
        <TextField
          label={`Type the handle ${account.handle} to go on`}
          name="handle"
          inputMode="numeric"
          autoComplete="off"
          error={wrongHandle ? 'This is not the handle of the account.' : undefined}
          onChange={() => setWrongHandle(false)}
        />
        {problem && <Notice>{problem}</Notice>}
        <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="danger" disabled={busy}>
            Delete the account
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function Choice({ value, title, hint, checked = false }: { value: string; title: string; hint: string; checked?: boolean }) {
  return (
    <label className="flex cursor-pointer items-start gap-3 px-3.5 py-3 has-checked:bg-accent-soft">
      <input type="radio" name="links" value={value} defaultChecked={checked} className="mt-1 size-4 shrink-0 accent-accent" />
      <span>
        <span className="block text-[15px] font-medium">{title}</span>
        <span className="block text-[13px] text-muted">{hint}</span>
      </span>
    </label>
  )
}
