import type { ReactNode } from 'react'
import { Dialog } from './dialog'
import { DialogForm, type DialogFormProps } from './dialog-form'

interface Props extends DialogFormProps {
  title: string
  /** A line under the title, read out with it. */
  description?: ReactNode
}

/** A form in a dialog. */
export function FormDialog({ title, description, ...form }: Props) {
  return (
    <Dialog title={title} description={description} onClose={form.onClose}>
      <DialogForm label={title} {...form} />
    </Dialog>
  )
}
