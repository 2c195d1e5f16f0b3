import { type ReactNode, useEffect } from 'react'
import type { Form } from '@/app/_ui/data/use-form'
import { Button } from './button'
import { Dialog } from './dialog'
import { Notice } from './notice'

interface Props {
  title: string
  description?: ReactNode
  form: Form
  /** What the button says: what will be done. */
  action: string
  /** It takes something away. */
  danger?: boolean
  onClose: () => void
  children: ReactNode
}

/** A form in a dialog. */
export function FormDialog({ title, description, form, action, danger = false, onClose, children }: Props) {
  const { ref } = form
  // Rather than on the button that closes it.
  useEffect(() => ref.current?.querySelector<HTMLElement>('input')?.focus(), [ref])
  return (
    <Dialog title={title} description={description} onClose={onClose}>
      <form ref={form.ref} onSubmit={form.onSubmit} noValidate aria-label={title} className="space-y-5">
        {form.problem && <Notice>{form.problem}</Notice>}
        {children}
        <div className="flex flex-col-reverse gap-3 pt-1 sm:flex-row sm:justify-end">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look={danger ? 'danger' : 'primary'} disabled={form.pending}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
